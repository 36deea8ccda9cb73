import type { TestContext } from 'node:test';
import canonicalize from 'canonicalize';
import { base64url } from 'jose';
import { type Json, openCheckoutShop } from './checkout-shop.ts';
import {
  disclosing,
  hashOf,
  newSigner,
  reachesPlatform,
  type Signer,
  startPlatform,
} from './platform.ts';

export const item = { item: { id: 'service_status' }, quantity: 2 };
export const now = () => Math.floor(Date.now() / 1000);

export async function openWithMandates(t: TestContext) {
  const platform = await startPlatform(t);
  const [issuer, agent, stranger] = await Promise.all([
    newSigner('issuer-1'),
    newSigner('agent-1'),
    newSigner('issuer-1'),
  ]);
  platform.documents['/issuer'] = { keys: [issuer.public] };
  const shop = await openCheckoutShop(t, {
    ...reachesPlatform,
    SERVICE_AP2_ISSUERS: `${platform.url}/issuer`,
  });
  return { ...shop, issuer, agent, stranger, profile: `${platform.url}/mandates` };
}

/** What the server has signed of a session, as one token. */
export function checkoutJwt(session: Json): string {
  const { ap2, ...terms } = session;
  const { merchant_authorization: authorization } = ap2 as { merchant_authorization: string };
  const [head, , signature] = authorization.split('.');
  return `${head}.${base64url.encode(canonicalize(terms) ?? '')}.${signature}`;
}

export interface Chain {
  readonly issuer: Signer;
  readonly agent: Signer;
  readonly base: string;
  /** What differs in the first, the last, and the head of the last of them. */
  readonly open?: Json;
  readonly closed?: Json;
  readonly bound?: Json;
}

/** A person allows an agent something, and the agent does it. */
export async function chain(
  kind: 'checkout' | 'payment',
  closed: Json,
  { issuer, agent, base, ...change }: Chain,
): Promise<{ readonly text: string; readonly reference: string }> {
  const open = {
    ...{ vct: `mandate.${kind}.open.1`, iat: now(), exp: now() + 3600 },
    ...{ cnf: { jwk: agent.public }, constraints: [], ...change.open },
  };
  const first = await disclosing(issuer, { typ: 'dc+sd-jwt' }, {}, open);
  const reference = await hashOf(first);
  const bound = { iat: now(), aud: base, nonce: crypto.randomUUID(), sd_hash: reference };
  const mandate = { vct: `mandate.${kind}.1`, ...closed, ...change.closed };
  const head = { typ: 'kb+sd-jwt' };
  const last = await disclosing(agent, head, { ...bound, ...change.bound }, mandate);
  return { text: `${first}~${last}`, reference };
}

export const bought = (base: string): readonly Json[] => [
  { type: 'checkout.allowed_merchants', allowed: [{ id: 'm', name: 'Shop', website: base }] },
  {
    type: 'checkout.line_items',
    items: [
      { id: 'l', quantity: 2, acceptable_items: [{ id: 'service_status', title: 'Status' }] },
    ],
  },
];
