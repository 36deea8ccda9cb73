import type { Hex } from 'viem';
import { keySignature } from '../numbers.ts';
import type { ChainSettings } from '../offers/settings.ts';
import type { Authorization } from './authorization.ts';
import type { ChainFault } from './faults.ts';
import { signerOfPermit } from './permit-call.ts';
import { authorizationTypes } from './token-abi.ts';
import { signerOfTyped } from './typed-data/signer.ts';
import { typedHash } from './typed-data/typed-hash.ts';

const hash = typedHash(authorizationTypes, 'TransferWithAuthorization');

/** With which the signature of a contract ends that is not there yet (ERC-6492). */
const undeployed = '6492'.repeat(16);

/**
 * What is wrong with a signature. The payer signs with a key of its own: contracts pay nothing here,
 * neither those that are there (ERC-1271) nor those that somebody would have to make (ERC-6492).
 */
export function signatureFault(
  authorization: Authorization,
  chain: Pick<ChainSettings, 'chainId' | 'asset'>,
): ChainFault | undefined {
  if (authorization.signature.endsWith(undeployed)) return 'eip6492_factory_not_allowed';
  if (isSignedBy(authorization, chain)) return undefined;
  return authorization.permit ? 'invalid_permit2_signature' : 'invalid_exact_evm_signature';
}

function isSignedBy(
  authorization: Authorization,
  chain: Pick<ChainSettings, 'chainId' | 'asset'>,
): boolean {
  const { from, signature, permit } = authorization;
  if (signature.length !== keySignature) return false;
  const signer = permit
    ? signerOfPermit({ ...authorization, permit }, chain.chainId)
    : signerOf(authorization, chain);
  return signer?.toLowerCase() === from.toLowerCase();
}

function signerOf(
  authorization: Authorization,
  { chainId, asset }: Pick<ChainSettings, 'chainId' | 'asset'>,
): Hex | undefined {
  const { name, version, address } = asset;
  const domain = { name, version, chainId, verifyingContract: address as Hex };
  return signerOfTyped(domain, hash, messageOf(authorization), authorization.signature);
}

/** What was signed, in the types of the chain. */
export function messageOf(authorization: Authorization) {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return {
    ...{ from: from as Hex, to: to as Hex, nonce: nonce as Hex },
    ...{ value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) },
  };
}
