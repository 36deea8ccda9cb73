import { Agent, codeOn, personAt, type Told } from '../../surfaces/identity/claiming-agent.ts';
import { browser, decide } from '../../surfaces/identity/consent-browser.ts';
import { authorizationUrl, clientAssertion, exchange, prove, refresh, trade } from './asks.ts';

/**
 * Hears what was acknowledged, and before it what is tried:
 *
 * - `registered CLAIM`, `claimed CLAIM CODE`, `revoking CLAIM`
 * - `live TOKEN`, `ending TOKEN`, `dead TOKEN`
 * - `withdrawn ASSERTION`, `ended REFRESH`
 * - `refreshing OLD`, `refreshed OLD NEW`
 * - `trading CODE`, `traded CODE`; `proving ASSERTION`, `proven ASSERTION`
 */
export type Tell = (kind: string, ...words: readonly string[]) => void;

export interface LifeOptions {
  /** Name of the agent, and of its person. */
  readonly name: string;
  /** Whom tokens are of. */
  readonly issuer: string;
  /** The server to ask, each time anew: there may be several. */
  readonly at: () => string;
  readonly clientKey: object;
  /** Whether its person revokes the agent in the end. */
  readonly isRevoked: boolean;
}

/** Lead an agent and a host through all that identity can do for them. */
export async function live(options: LifeOptions, tell: Tell): Promise<void> {
  const { name, at, isRevoked } = options;
  const agent = () => new Agent(at());
  const email = `${name}@example.com`;
  const registered = await agent().register({ type: 'anonymous', client_name: name });
  const { claimToken } = registered;
  const before = String(registered.assertion);
  tell('registered', claimToken);
  const early = await tokenFor(options, before);
  const person = await claimed(options, claimToken, email, tell);
  tell('dead', early);
  tell('withdrawn', before);
  const { assertion, session } = person;
  const first = await tokenFor(options, assertion);
  tell('live', first);
  const next = await refreshed(options, person.refreshToken, tell);
  tell('ending', first);
  await revoke(at(), first);
  tell('dead', first);
  await host(options, session, tell);
  const last = await tokenFor(options, assertion);
  tell('live', last);
  await proven(options, tell);
  if (!isRevoked) return;
  for (const [kind, word] of [
    ['revoking', claimToken],
    ['ending', last],
    ['ending', next],
  ] as const) {
    tell(kind, word);
  }
  await revoke(at(), assertion);
  tell('withdrawn', assertion);
  await revoke(at(), next);
  tell('ended', next);
  tell('dead', last);
}

/** Have the agent claimed; the claim counts once its answer has come. */
async function claimed({ at }: LifeOptions, claimToken: string, email: string, tell: Tell) {
  const base = at();
  const { body } = good(await new Agent(base).claim({ claim_token: claimToken, email }));
  const attempt = body['claim_attempt'] as Readonly<Record<string, string>>;
  const link = new URL(attempt['verification_uri'] ?? '');
  const person = await personAt(base, `${base}${link.pathname}${link.search}`, email);
  await person.send('/agent/claim/confirm');
  const code = codeOn(person);
  tell('claiming', claimToken);
  const done = good(await new Agent(at()).complete(claimToken, code)).body;
  tell('claimed', claimToken, code);
  const identity = done['identity'] as { readonly refresh_token: { readonly value: string } };
  return {
    assertion: String(done['identity_assertion']),
    refreshToken: identity.refresh_token.value,
    session: String(person.cookie('session')),
  };
}

/** Let a host in, and use its code and its refresh token. */
async function host({ at, issuer }: LifeOptions, session: string, tell: Tell): Promise<void> {
  const back = await decide(
    browser(new Map([['session', session]])),
    authorizationUrl(at(), issuer),
  );
  const code = String(back.searchParams.get('code'));
  tell('trading', code);
  const { body } = good(await trade(at(), code));
  tell('traded', code);
  tell('live', String(body['access_token']));
  const old = String(body['refresh_token']);
  tell('refreshing', old);
  const next = good(await refresh(at(), old)).body;
  tell('refreshed', old, String(next['refresh_token']));
}

async function refreshed({ at }: LifeOptions, old: string, tell: Tell): Promise<string> {
  tell('refreshing', old);
  const { body } = good(await refresh(at(), old));
  const next = String(body['refresh_token']);
  tell('refreshed', old, next);
  return next;
}

async function proven({ at, issuer, clientKey }: LifeOptions, tell: Tell): Promise<void> {
  const assertion = await clientAssertion(issuer, clientKey);
  tell('proving', assertion);
  good(await prove(at(), assertion));
  tell('proven', assertion);
}

async function tokenFor({ at, issuer }: LifeOptions, assertion: string): Promise<string> {
  return String(good(await exchange(at(), assertion, { resource: issuer })).body['access_token']);
}

async function revoke(base: string, token: string): Promise<void> {
  const body = new URLSearchParams({ token });
  const { status } = await fetch(`${base}/oauth2/revoke`, { method: 'POST', body });
  if (status !== 200) throw new Error(`a revocation is answered with ${status}`);
}

function good(told: Told): Told {
  if (told.status === 200) return told;
  throw new Error(`expected 200, came ${told.status}: ${JSON.stringify(told.body)}`);
}
