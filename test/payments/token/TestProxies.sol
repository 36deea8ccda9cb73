// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Permit, TestPermit2, Transfer} from "./TestPermit2.sol";

/// What both proxies of x402 have in common: whom the payer pays is in what it has signed.
abstract contract TestProxy {
    error InvalidAmount();
    error InvalidDestination();
    error InvalidOwner();
    error PaymentTooEarly();
    event Settled();

    TestPermit2 public constant PERMIT2 = TestPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);
    string internal constant PERMISSIONS = "TokenPermissions(address token,uint256 amount)";

    function move(
        Permit calldata permit, uint256 amount, address owner, address to, uint256 validAfter, bytes32 witness,
        string memory witnessType, bytes calldata signature
    ) internal {
        require(amount != 0, InvalidAmount());
        require(owner != address(0), InvalidOwner());
        require(to != address(0), InvalidDestination());
        require(block.timestamp >= validAfter, PaymentTooEarly());
        string memory rest = string.concat("Witness witness)", PERMISSIONS, witnessType);
        PERMIT2.permitWitnessTransferFrom(permit, Transfer(to, amount), owner, witness, rest, signature);
        emit Settled();
    }
}

/// Moves what was signed, no more and no less.
contract TestExactProxy is TestProxy {
    struct Witness {
        address to;
        uint256 validAfter;
    }

    string private constant TYPE = "Witness(address to,uint256 validAfter)";

    function settle(Permit calldata permit, address owner, Witness calldata witness, bytes calldata signature)
        external
    {
        bytes32 hash = keccak256(abi.encode(keccak256(bytes(TYPE)), witness.to, witness.validAfter));
        move(permit, permit.permitted.amount, owner, witness.to, witness.validAfter, hash, TYPE, signature);
    }
}

/// Moves as much of it as the one asks for that the payer has named.
contract TestUptoProxy is TestProxy {
    error AmountExceedsPermitted();
    error UnauthorizedFacilitator();

    struct Witness {
        address to;
        address facilitator;
        uint256 validAfter;
    }

    string private constant TYPE = "Witness(address to,address facilitator,uint256 validAfter)";

    function settle(
        Permit calldata permit, uint256 amount, address owner, Witness calldata witness, bytes calldata signature
    ) external {
        require(msg.sender == witness.facilitator, UnauthorizedFacilitator());
        require(amount <= permit.permitted.amount, AmountExceedsPermitted());
        bytes32 hash =
            keccak256(abi.encode(keccak256(bytes(TYPE)), witness.to, witness.facilitator, witness.validAfter));
        move(permit, amount, owner, witness.to, witness.validAfter, hash, TYPE, signature);
    }
}
