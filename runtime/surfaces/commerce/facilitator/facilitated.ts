import { isObject } from '#contract/json';
import { type Authorization, readAuthorization } from '../evm/authorization.ts';
import { faultOf } from '../evm/check.ts';
import { readPermit } from '../evm/permit.ts';
import { signatureFault } from '../evm/signer-of.ts';
import type { ChainSettings } from '../offers/settings.ts';
import type { PaymentRequirements } from '../x402/payment-required.ts';

/** A payment between others, and what it is to pay. */
export interface Facilitated {
  readonly authorization: Authorization;
  readonly requirements: PaymentRequirements;
  /** What of the most that was signed is charged (scheme upto); absent where nothing is left open. */
  readonly charge?: string;
}

/** Of the scheme upto: whether what is asked for is the most, or what is charged of it. */
export type Question = 'verify' | 'settle';

/** Whose chain it is, and the accounts that settle on it. */
export interface FacilitatedParts {
  readonly chain: ChainSettings;
  readonly signers: readonly string[];
  /** In milliseconds since the epoch. */
  readonly now: number;
}

/** What is wrong with it, and who would have paid as far as that is known. */
export interface Refused {
  readonly fault: string;
  readonly payer?: string;
}

const forms = {
  amount: /^(0|[1-9][0-9]{0,77})$/,
  asset: /^0x[0-9a-fA-F]{40}$/,
  payTo: /^0x[0-9a-fA-F]{40}$/,
} as const;

/**
 * Read what a facilitator is sent, and check all of it that can be checked without the chain, in the
 * order of the scheme (x402 v2, scheme exact on EVM, verification).
 */
export function readFacilitated(
  { x402Version, paymentPayload, paymentRequirements }: Readonly<Record<string, unknown>>,
  { chain, signers, now }: FacilitatedParts,
  question: Question,
): Facilitated | Refused {
  if (!isObject(paymentPayload) || !isObject(paymentRequirements)) return wrong('invalid_payload');
  const isSecond = [x402Version ?? 2, paymentPayload['x402Version']].every((each) => each === 2);
  if (!isSecond) return wrong('invalid_x402_version');
  const { accepted, payload } = paymentPayload;
  if (!isObject(accepted) || !isObject(payload)) return wrong('invalid_payload');
  const { scheme } = paymentRequirements;
  if (scheme !== 'exact' && scheme !== 'upto') return wrong('unsupported_scheme');
  if (accepted['scheme'] !== scheme) return wrong(`invalid_${scheme}_evm_scheme`);
  const fault = faultOfTerms(paymentRequirements, chain);
  if (fault !== undefined) return wrong(fault);
  if (accepted['network'] !== paymentRequirements['network']) {
    return wrong(`invalid_${scheme}_evm_network_mismatch`);
  }
  const requirements = paymentRequirements as unknown as PaymentRequirements;
  const { permit2Authorization, signature } = payload;
  const isPermit = scheme === 'upto' || permit2Authorization !== undefined;
  const authorization = isPermit
    ? readPermit(permit2Authorization, signature)
    : readAuthorization(payload['authorization'], signature);
  if (authorization === undefined) return wrong('invalid_payload');
  if (scheme === 'exact') return checked({ authorization, requirements }, chain, now);
  return metered({ authorization, requirements }, { chain, signers, now }, question);
}

/** What is charged is asked for, and what was signed is the most (x402 v2, scheme upto, settlement). */
function metered(
  { authorization, requirements }: Facilitated,
  { chain, signers, now }: FacilitatedParts,
  question: Question,
): Facilitated | Refused {
  const { from: payer, permit, value } = authorization;
  const facilitatorAddress = signers.find(
    (each) => each.toLowerCase() === permit?.facilitator?.toLowerCase(),
  );
  if (facilitatorAddress === undefined) return { fault: 'upto_facilitator_mismatch', payer };
  const extra = { ...requirements.extra, facilitatorAddress };
  const amount = question === 'settle' ? value : requirements.amount;
  const read = checked(
    { authorization, requirements: { ...requirements, amount, extra } },
    chain,
    now,
  );
  if ('fault' in read || question === 'verify') return read;
  const charge = requirements.amount;
  if (BigInt(charge) > BigInt(value)) {
    return { fault: 'invalid_upto_evm_payload_settlement_exceeds_amount', payer };
  }
  return { ...read, charge };
}

function checked(
  facilitated: Facilitated,
  chain: ChainSettings,
  now: number,
): Facilitated | Refused {
  const { authorization, requirements } = facilitated;
  const { from: payer } = authorization;
  // Only how the token calls itself is theirs to say; where it is and how it counts is known here.
  const { name, version } = { ...chain.asset, ...requirements.extra };
  const asset = { ...chain.asset, name, version };
  const fault =
    signatureFault(authorization, { chainId: chain.chainId, asset }) ??
    faultOf(authorization, requirements, now);
  return fault === undefined ? facilitated : { fault, payer };
}

/** The token and its chain are those of this server: it pays the gas. */
function faultOfTerms(
  terms: Readonly<Record<string, unknown>>,
  { network, asset }: ChainSettings,
): string | undefined {
  if (terms['network'] !== network) return 'invalid_network';
  const isRead = Object.entries(forms).every(([name, form]) => {
    const member = terms[name];
    return typeof member === 'string' && form.test(member);
  });
  if (!isRead) return 'invalid_payment_requirements';
  if (String(terms['asset']).toLowerCase() !== asset.address.toLowerCase()) {
    return 'invalid_payment_requirements';
  }
  const { extra, scheme } = terms;
  const isByPermit =
    scheme === 'upto' || (isObject(extra) && extra['assetTransferMethod'] === 'permit2');
  if (isByPermit) return isObject(extra) ? undefined : 'invalid_payment_requirements';
  const isNamed =
    isObject(extra) && typeof extra['name'] === 'string' && typeof extra['version'] === 'string';
  return isNamed ? undefined : 'invalid_exact_evm_missing_eip712_domain';
}

function wrong(fault: string): Refused {
  return { fault };
}
