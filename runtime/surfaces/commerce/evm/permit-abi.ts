import { parseAbi } from 'viem';

/** What is asked of Permit2, and what it says where it does nothing. */
export const permit2Abi = parseAbi([
  'function nonceBitmap(address owner, uint256 word) view returns (uint256)',
  'error InvalidNonce()',
  'error InvalidAmount(uint256 maxAmount)',
  'error SignatureExpired(uint256 signatureDeadline)',
]);

/** What of a token Permit2 may move. */
export const allowanceAbi = parseAbi([
  'function allowance(address owner, address spender) view returns (uint256)',
]);

const permit = [
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct Permit { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
] as const;

/** The proxy of the scheme exact. */
export const exactProxyAbi = parseAbi([
  ...permit,
  'struct Witness { address to; uint256 validAfter; }',
  'function settle(Permit permit, address owner, Witness witness, bytes signature)',
]);

/** That of the scheme upto, which takes calls of the account that its payer has named. */
export const uptoProxyAbi = parseAbi([
  ...permit,
  'struct Witness { address to; address facilitator; uint256 validAfter; }',
  'function settle(Permit permit, uint256 amount, address owner, Witness witness, bytes signature)',
]);

const order = {
  PermitWitnessTransferFrom: [
    { name: 'permitted', type: 'TokenPermissions' },
    { name: 'spender', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'witness', type: 'Witness' },
  ],
  TokenPermissions: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
} as const;

/** What is signed (EIP-712) for the scheme exact. */
export const exactPermitTypes = {
  ...order,
  Witness: [
    { name: 'to', type: 'address' },
    { name: 'validAfter', type: 'uint256' },
  ],
} as const;

/** The same for the scheme upto. */
export const uptoPermitTypes = {
  ...order,
  Witness: [
    { name: 'to', type: 'address' },
    { name: 'facilitator', type: 'address' },
    { name: 'validAfter', type: 'uint256' },
  ],
} as const;
