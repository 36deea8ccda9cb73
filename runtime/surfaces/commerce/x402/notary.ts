import canonicalize from 'canonicalize';
import type { House } from '#contract/house/house';
import { didOf } from './did-web.ts';
import type { Extension } from './extensions.ts';
import type { PaymentRequirements } from './payment-required.ts';

/** An offer or a receipt with its signature, in which it stands itself (x402 v2, offer-receipt). */
export interface Notarized {
  readonly format: 'jws';
  /** JWS in its compact form. */
  readonly signature: string;
  /** Which of the ways to pay is offered: a hint that nobody has signed. */
  readonly acceptIndex?: number;
}

/** What was paid, as a receipt says it. */
export interface PaidFor {
  readonly tenant: string;
  readonly resourceUrl: string;
  readonly network: string;
  readonly payer: string;
  readonly transaction: string;
}

/** Signs what this server asks for and what it has got, so that a client can prove both to others. */
export interface Notary {
  /** One offer for each way to pay; none where this server has no keys. */
  offers(
    tenant: string,
    resourceUrl: string,
    accepts: readonly PaymentRequirements[],
  ): Promise<readonly Notarized[]>;
  /** @param issuedAt milliseconds since the epoch */
  receipt(paid: PaidFor, issuedAt: number): Promise<Notarized | undefined>;
}

type NotaryHouse = Pick<House, 'signer' | 'tenants' | 'address' | 'now'>;

interface Kept {
  readonly offer: Notarized;
  readonly at: number;
}

/**
 * Make what signs offers and receipts. An offer is the same for all who ask: its signature serves for
 * a while, and it is good for at least as long as a payment may take from then on.
 */
export function createNotary({ signer, tenants, address, now }: NotaryHouse): Notary {
  const kept = new WeakMap<PaymentRequirements, Map<string, Kept>>();
  const signed = async (tenant: string, payload: object): Promise<Notarized | undefined> => {
    const base = (tenants.find(tenant)?.address ?? address).of('');
    if (base === undefined) return undefined;
    const text = canonicalize(payload) ?? '';
    const nameKey = (kid: string) => `${didOf(base)}#${kid}`;
    const made = await signer.sign(tenant, text, { nameKey });
    if (made === undefined) return undefined;
    const body = Buffer.from(text).toString('base64url');
    return { format: 'jws', signature: `${made.protected}.${body}.${made.signature}` };
  };
  const offerOf = async (
    tenant: string,
    resourceUrl: string,
    required: PaymentRequirements,
  ): Promise<Notarized | undefined> => {
    const known = kept.get(required) ?? new Map<string, Kept>();
    kept.set(required, known);
    const place = `${tenant} ${resourceUrl}`;
    const goodMs = required.maxTimeoutSeconds * 1000;
    const last = known.get(place);
    if (last !== undefined && now() - last.at < goodMs) return last.offer;
    const at = now();
    const { scheme, network, asset, payTo, amount } = required;
    const offer = await signed(tenant, {
      ...{ version: 1, resourceUrl, scheme, network, asset, payTo, amount },
      validUntil: Math.ceil((at + 2 * goodMs) / 1000),
    });
    if (offer !== undefined) known.set(place, { offer, at });
    return offer;
  };
  return {
    async offers(tenant, resourceUrl, accepts) {
      const all = await Promise.all(accepts.map((each) => offerOf(tenant, resourceUrl, each)));
      return all.flatMap((offer, acceptIndex) => (offer ? [{ ...offer, acceptIndex }] : []));
    },
    async receipt({ tenant, ...paid }, issuedAt) {
      return signed(tenant, { version: 1, ...paid, issuedAt: Math.floor(issuedAt / 1000) });
    },
  };
}

const artifact = {
  type: 'object',
  required: ['format', 'signature'],
  properties: {
    format: { type: 'string', const: 'jws' },
    acceptIndex: { type: 'integer', minimum: 0 },
    signature: { type: 'string' },
  },
} as const;

/** Signed offers as a server tells of them. */
export function offersTold(offers: readonly Notarized[]): Extension {
  return { info: { offers }, schema: toldSchema('offers', { type: 'array', items: artifact }) };
}

/** A signed receipt as it comes back with a settlement. */
export function receiptTold(receipt: Notarized): Extension {
  return { info: { receipt }, schema: toldSchema('receipt', artifact) };
}

function toldSchema(name: string, member: object): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: [name],
    properties: { [name]: member },
  };
}
