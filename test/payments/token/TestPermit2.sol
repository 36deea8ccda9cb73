// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

interface Token {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

struct TokenPermissions {
    address token;
    uint256 amount;
}

struct Permit {
    TokenPermissions permitted;
    uint256 nonce;
    uint256 deadline;
}

struct Transfer {
    address to;
    uint256 requestedAmount;
}

/// What tests need of Permit2: transfers by a signature that names who may ask for them, each number once.
contract TestPermit2 {
    error SignatureExpired(uint256 deadline);
    error InvalidAmount(uint256 most);
    error InvalidNonce();
    error InvalidSigner();

    bytes32 private constant DOMAIN =
        keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
    bytes32 private constant PERMISSIONS = keccak256("TokenPermissions(address token,uint256 amount)");
    string private constant ORDER =
        "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,";

    mapping(address => mapping(uint256 => uint256)) public nonceBitmap;

    function permitWitnessTransferFrom(
        Permit memory permit, Transfer calldata transfer, address owner, bytes32 witness, string calldata witnessType,
        bytes calldata signature
    ) external {
        require(block.timestamp <= permit.deadline, SignatureExpired(permit.deadline));
        require(transfer.requestedAmount <= permit.permitted.amount, InvalidAmount(permit.permitted.amount));
        use(owner, permit.nonce);
        bytes32 permitted = keccak256(abi.encode(PERMISSIONS, permit.permitted.token, permit.permitted.amount));
        bytes32 order = keccak256(
            abi.encode(
                keccak256(abi.encodePacked(ORDER, witnessType)),
                permitted, msg.sender, permit.nonce, permit.deadline, witness
            )
        );
        bytes32 domain = keccak256(abi.encode(DOMAIN, keccak256("Permit2"), block.chainid, address(this)));
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", domain, order));
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        address signer = ecrecover(digest, uint8(signature[64]), r, s);
        require(signer != address(0) && signer == owner, InvalidSigner());
        Token(permit.permitted.token).transferFrom(owner, transfer.to, transfer.requestedAmount);
    }

    /// The owner takes numbers back.
    function invalidateUnorderedNonces(uint256 word, uint256 mask) external {
        nonceBitmap[msg.sender][word] |= mask;
    }

    function use(address owner, uint256 nonce) private {
        uint256 bit = 1 << uint8(nonce);
        require(nonceBitmap[owner][nonce >> 8] & bit == 0, InvalidNonce());
        nonceBitmap[owner][nonce >> 8] |= bit;
    }
}
