import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Caller } from '#contract/caller';
import { storeWith } from '#contract/house/store';
import type {
  CheckoutSessionRow,
  CommerceTables,
} from '../../../generated/surfaces/commerce/tables.ts';
import type { Service } from '../../../runtime/main.ts';
import { bearer, exchange, post, postForm, register } from './agent.ts';
import { codeOn, personAt } from './claiming-agent.ts';

/** What a tenant has, by the names under which requests speak of it. */
export type Things = Readonly<Record<string, string>>;

const scope = 'mcp.tools api.read';
const email = 'ada@example.com';

/** What whoever sets up back ends of telemetry, asks them and buys uses of tools may do. */
export const setting =
  'observability:configure observability:read observability:query_logs payments:spend';

/** Let a tenant have one of everything that a request can name. */
export async function thingsOf(base: string, service: Service): Promise<Things> {
  const tenant = base.split('/t/')[1] ?? 'default';
  const anonymous = await register(base);
  const { json: issued } = await exchange(base, anonymous.identity_assertion, { resource: base });
  const pending = (await post(`${base}/agent/identity`, { type: 'service_auth', email })).json;
  const claimed = (await post(`${base}/agent/identity`, { type: 'service_auth', email })).json;
  const person = await personAt(base, claimed.claim.verification_uri, email);
  await person.send('/agent/claim/confirm');
  const completing = { claim_token: claimed.claim_token, user_code: codeOn(person) };
  const { json: agent } = await post(`${base}/agent/identity/claim/complete`, completing);
  const session = person.cookie('session') ?? '';
  const client = await post(`${base}/oauth2/register`, {
    client_name: 'Editor',
    redirect_uris: ['http://127.0.0.1/back'],
    token_endpoint_auth_method: 'none',
  });
  const pushed = await postForm(`${base}/oauth2/par`, {
    ...{ client_id: client.json.client_id, response_type: 'code', scope },
    ...{ redirect_uri: 'http://127.0.0.1/back', resource: `${base}/mcp` },
    ...{ code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' },
  });
  const caller: Caller = {
    ...{ tenant, subject: claimed.registration_id, client: 'c', scopes: new Set() },
    transport: 'mcp',
  };
  const approval = await service.engines.approvals.request({
    ...{ caller, client: 'c', operation: 'do_it', digest: randomBytes(32).toString('hex') },
    question: () => ({ arguments: [] }),
  });
  const receipt = await service.engines.audit.events.approvalDecided({
    ...{ tenant, actor: { type: 'user', id: 'ada' }, subject: 'x' },
    payload: { decision: 'approved', way: 'page', operation: 'do_it' },
  });
  const operator = await service.commands['token']?.([], {
    tenant,
    scope: `mcp.tools api.read ${setting}`,
  });
  const back_end = `b${randomBytes(8).toString('hex')}`;
  const registered = await post(
    `${base}/observability/providers`,
    {
      ...{ id: back_end, signalType: 'log', name: 'Logs', kind: 'loki' },
      endpoint: 'http://127.0.0.1:3100',
    },
    bearer(String(operator)),
  );
  assert.equal(registered.status, 201, registered.text);
  return {
    back_end,
    ...(await checkoutSessions(base, service, bearer(String(operator)))),
    id: claimed.registration_id,
    registration_id: anonymous.registration_id,
    claim_token: pending.claim_token,
    claim_attempt_token: attemptOf(pending.claim.verification_uri),
    assertion: anonymous.identity_assertion,
    access_token: issued.access_token,
    refresh_token: agent.identity.refresh_token.value,
    session,
    client_id: client.json.client_id,
    request_uri: pushed.json.request_uri,
    approval: approval.id,
    seq: String(receipt.seq),
  };
}

/** One of each protocol, and an order; the others are rows like the first, as nobody sells and pays here. */
async function checkoutSessions(base: string, service: Service, headers: Headers) {
  const wanted = { line_items: [{ id: 'service_status' }], currency: 'usd', capabilities: {} };
  const begun = await post(`${base}/acp/checkout_sessions`, wanted, {
    ...headers,
    ...{ 'api-version': '2026-04-17', 'idempotency-key': randomBytes(16).toString('hex') },
  });
  assert.equal(begun.status, 201, begun.text);
  const acp_session = String(begun.json.id);
  const { db } = storeWith<CommerceTables>(service.engines.store);
  const query = db.selectFrom('checkout_session').selectAll().where('id', '=', acp_session);
  const row: CheckoutSessionRow = await query.executeTakeFirstOrThrow();
  const [ucp_session, bought] = [randomBytes(16), randomBytes(16)].map(
    (bytes) => `cs_${bytes.toString('hex')}`,
  ) as [string, string];
  await db
    .insertInto('checkout_session')
    .values([
      { ...row, id: ucp_session, protocol: 'ucp' },
      { ...row, id: bought, state: 'completed' },
    ])
    .execute();
  return { acp_session, ucp_session, order: bought.replace('cs_', 'ord_') };
}

type Headers = Readonly<Record<string, string>>;

function attemptOf(uri: string): string {
  return new URL(uri).searchParams.get('claim_attempt_token') ?? '';
}

/** Things of the same form that never were: random where a secret is, and beyond the log. */
export function neverWere(things: Things): Things {
  return Object.fromEntries(
    Object.entries(things).map(([name, value]) => [name, name === 'seq' ? '99999' : other(value)]),
  );
}

/** As long and with the same beginning; of a token the signature is another one. */
function other(value: string): string {
  const kept = value.startsWith('urn:') ? value.lastIndexOf(':') + 1 : value.indexOf('_') + 1;
  const from = value.startsWith('ey') ? value.lastIndexOf('.') + 1 : kept;
  const length = value.length - from;
  return value.slice(0, from) + randomBytes(length).toString('base64url').slice(0, length);
}
