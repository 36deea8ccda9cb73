import type { TestContext } from 'node:test';
import { base64url, type JWK } from 'jose';
import type { CallContext } from '#contract/caller';
import type { House } from '#contract/house/house';
import { storeWith } from '#contract/house/store';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type {
  CheckoutSessionRow,
  CommerceTables,
} from '../../../../generated/surfaces/commerce/tables.ts';
import { seen } from '../../../../runtime/surfaces/commerce/checkout/seen-session.ts';
import { createMandateDesk } from '../../../../runtime/surfaces/commerce/mandates/mandate-desk.ts';
import { createShownMandates } from '../../../../runtime/surfaces/commerce/mandates/shown-mandates.ts';
import { checkoutJwt } from '../../../payments/checkout/mandate-shop.ts';
import { hashOf, newSigner, type Signer } from '../../../payments/checkout/platform.ts';
import { openStore } from '../../../runtime/store/replicas.ts';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';

export type Json = Readonly<Record<string, unknown>>;

export const shop = 'https://shop.example';
export const merchant = { id: 'm', name: 'Shop', website: shop };
export const clock = Date.parse('2026-11-23T10:00:00Z');
export const seconds = clock / 1000;

/** One token of a chain; what is not told of it differs from test to test. */
export interface Token {
  readonly mandate?: Json;
  readonly head?: Json;
  /** What stands beside what is delegated. */
  readonly claims?: Json;
  /** Told besides the mandate, as disclosures of RFC 9901. */
  readonly told?: readonly string[];
}

/** Parts of a disclosure, and the digest that stands for it. */
export async function disclosureOf(...parts: readonly unknown[]) {
  const text = base64url.encode(JSON.stringify([crypto.randomUUID(), ...parts]));
  return { text, digest: await hashOf(text) };
}

/** Sign a token that delegates a mandate. */
export async function tokenOf(
  signer: Signer,
  { mandate, head, claims, told = [] }: Token,
): Promise<string> {
  const disclosed = mandate && (await disclosureOf(mandate));
  const delegated = disclosed && { delegate_payload: [{ '...': disclosed.digest }] };
  const jwt = await signer.sign({ typ: 'dc+sd-jwt', ...head }, { ...delegated, ...claims });
  return [jwt, ...(disclosed ? [disclosed.text] : []), ...told, ''].join('~');
}

/** A desk with one issuer, for sessions with two uses of one tool for half a dollar. */
export async function openDesk(t: TestContext) {
  const [issuer, agent, own] = await Promise.all(['i', 'a', 'own'].map((kid) => newSigner(kid)));
  if (!issuer || !agent || !own) throw new Error('there is no key');
  const store = storeWith<CommerceTables>(await openStore(t, { dataDir: temporaryDirectory(t) }));
  const now = () => clock;
  const events = new Proxy({} as CommerceEvents, { get: () => async () => ({ seq: 1 }) });
  const keys = { value: { keys: [issuer.public] } };
  const house = {
    now,
    outbound: { of: () => ({ document: async () => keys }) },
    signer: {
      keys: async () => [own.public],
      async sign(_: string, text: string) {
        const [head = '', , signature = ''] = (await own.sign({}, JSON.parse(text))).split('.');
        return { protected: head, signature };
      },
    },
  } as unknown as Pick<House, 'signer' | 'outbound' | 'now'>;
  const kept = createShownMandates(store, now);
  const url = (path: string) => `${shop}${path}`;
  const desk = createMandateDesk({ issuers: [`${shop}/issuer`], kept, events, url, house });
  const caller = { tenant: 'default', subject: 's', scopes: [], isAnonymous: false };
  const context = { caller, callId: 'c' } as unknown as CallContext;

  /** What stands in the mandates that close a new session. */
  const begin = async () => {
    const id = `cs_${crypto.randomUUID()}`;
    const line = { id: 'line_1', tool: 'service_status', title: 'Status', unit: 25, quantity: 2 };
    const row: CheckoutSessionRow = {
      ...{ tenant: 'default', id, protocol: 'ucp', subject: 's', platform: '', demands: 'ap2' },
      ...{ state: 'open', lines: JSON.stringify([line]), attempt: 0, fault: '', payment: '' },
      ...{ created_at: clock, changed_at: clock, expires_at: clock + 86_400_000 },
    };
    await store.db.insertInto('checkout_session').values(row).execute();
    const plain = { id, line_items: [{ id: 'line_1' }], totals: [50], currency: 'USD' };
    const shown = await desk.authorized(plain, context);
    const jwt = checkoutJwt(shown);
    const hash = await hashOf(jwt);
    return {
      checkout: { vct: 'mandate.checkout.1', checkout_jwt: jwt, checkout_hash: hash } as Json,
      payment: {
        ...{ vct: 'mandate.payment.1', transaction_id: hash, payee: merchant },
        payment_amount: { amount: 50, currency: 'USD' },
        payment_instrument: { id: 'w', type: 'x402', description: 'Wallet' },
      } as Json,
      require: (mandate: string, paymentMandate?: string) =>
        desk.require(
          {
            session: seen(row, undefined, clock),
            shown,
            mandate,
            paymentMandate,
            instrument: 'x402',
          },
          context,
        ),
    };
  };
  return { issuer, agent, begin };
}

export const lineItems = {
  type: 'checkout.line_items',
  items: [{ id: 'l', quantity: 2, acceptable_items: [{ id: 'service_status', title: 'Status' }] }],
};

/** What a person allows an agent. */
export function openOf(
  kind: 'checkout' | 'payment',
  key: JWK,
  constraints: readonly unknown[],
): Json {
  return {
    ...{ vct: `mandate.${kind}.open.1`, iat: seconds, exp: seconds + 3600 },
    ...{ cnf: { jwk: key }, constraints },
  };
}

/** Use a permission. */
export async function closedBy(agent: Signer, before: string, token: Token): Promise<string> {
  const bound = { iat: seconds, aud: shop, nonce: 'n', sd_hash: await hashOf(before) };
  const head = { typ: 'kb+sd-jwt' };
  const last = await tokenOf(agent, { ...token, head, claims: { ...bound, ...token.claims } });
  return `${before}~${last}`;
}
