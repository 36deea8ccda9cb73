import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createService } from '../../../../runtime/main.ts';
import {
  authorizationUrl,
  clientAssertion,
  prove,
  refresh,
  trade,
} from '../../../reliability/identity/asks.ts';
import { live } from '../../../reliability/identity/life.ts';
import { checkPromises } from '../../../reliability/identity/promises.ts';
import {
  chooseService,
  environmentOf,
  type ServiceOptions,
  serveIdentity as serveReplica,
} from '../../../reliability/identity/service.ts';
import { PostgresServer } from '../../../runtime/store/postgres-server.ts';
import { exchange, register } from '../agent.ts';
import { Agent, codeOn, personAt, type Told } from '../claiming-agent.ts';
import { browser, decide } from '../consent-browser.ts';
import { freePort } from '../outbox/mail-server.ts';
import { serveIdentity } from '../served-identity.ts';

suite('two replicas on PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'replicas-'));
  const stops: (() => Promise<void>)[] = [];
  let postgres: PostgresServer;
  let options: ServiceOptions;
  /** Both are reached under the name of the first. */
  let issuer = '';
  let other = '';

  before(async () => {
    postgres = await PostgresServer.start();
    const databaseUrl = await postgres.createDatabase();
    options = await chooseService({ dataDir: join(folder, 'one'), databaseUrl });
    issuer = `http://127.0.0.1:${options.port}`;
    const port = await freePort();
    other = `http://127.0.0.1:${port}`;
    stops.push(await serveReplica(options));
    stops.push(await serveReplica({ ...options, port, dataDir: join(folder, 'two') }, issuer));
  });
  after(async () => {
    for (const stop of stops) await stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Whichever has not answered the last time. */
  function inTurn(): () => string {
    let asked = 0;
    return () => (asked++ % 2 === 0 ? issuer : other);
  }

  test('agents are served by either, and both keep what either has promised', async () => {
    const marks: string[][] = [];
    const { clientKey } = options;
    await Promise.all(
      [0, 1, 2, 3].map((number) => {
        const name = `agent-${number}`;
        const life = { name, issuer, at: inTurn(), clientKey, isRevoked: number % 2 === 0 };
        return live(life, (...words) => marks.push(words));
      }),
    );
    const dead = marks.filter(([kind]) => kind === 'dead');
    assert.ok(dead.length >= 8, 'there is something to forget');
    for (const base of [issuer, other]) {
      for (const [, token] of dead) {
        // A replica hears of it a moment later.
        while ((await new Agent(base).whoami(token)).status === 200) await sleep(50);
      }
    }
    const { acknowledged, kept } = await checkPromises(other, marks);
    assert.deepEqual(kept.toSorted(), acknowledged.toSorted());
    const again = marks.filter(([kind]) => ['traded', 'proven', 'ended'].includes(kind ?? ''));
    const atFirst = await checkPromises(issuer, again);
    assert.deepEqual(atFirst.kept.toSorted(), atFirst.acknowledged.toSorted());
  });

  /** Twenty at the same time, half of them at each. */
  function atOnce(ask: (base: string) => Promise<Told>): Promise<readonly Told[]> {
    const at = inTurn();
    return Promise.all(Array.from({ length: 20 }, () => ask(at())));
  }

  const good = (told: readonly Told[]) => told.filter(({ status }) => status === 200);

  test('a code, an assertion of a client and a read-back code count once for both', async () => {
    const email = 'once@example.com';
    const person = await personAt(issuer, '/agents', email);
    const session = browser(new Map([['session', String(person.cookie('session'))]]));
    const back = await decide(session, authorizationUrl(issuer));
    const code = String(back.searchParams.get('code'));
    assert.ok(good(await atOnce((base) => trade(base, code))).length <= 1);
    const assertion = await clientAssertion(issuer, options.clientKey);
    assert.equal(good(await atOnce((base) => prove(base, assertion))).length, 1);
    const { claimToken } = await new Agent(issuer).register({ type: 'anonymous' });
    const { body } = await new Agent(other).claim({ claim_token: claimToken, email });
    const attempt = body['claim_attempt'] as Readonly<Record<string, string>>;
    await person.open(String(attempt['verification_uri']));
    await person.send('/agent/claim/confirm');
    const readback = codeOn(person);
    const claims = await atOnce((base) => new Agent(base).complete(claimToken, readback));
    const [done, ...more] = good(claims);
    assert.equal(more.length, 0, 'claimed once');
    const identity = done?.body['identity'] as { refresh_token: { value: string } };
    const token = identity.refresh_token.value;
    const successors = good(await atOnce((base) => refresh(base, token))).map(
      (told) => told.body['refresh_token'],
    );
    assert.equal(new Set(successors).size, 1, 'whoever lost the answer gets the same one');
  });

  test('a key that is dropped at the terminal is worth nothing at either, nor published', async () => {
    const agents = [issuer, other].map((base) => new Agent(base));
    const { assertion } = await new Agent(issuer).register({ type: 'anonymous' });
    const token = (await new Agent(issuer).exchange(assertion)).body['access_token'];
    const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    const exchanged = (agent: Agent) => agent.token({ grant_type, assertion: String(assertion) });
    const told = async () => {
      const all = agents.map(async (agent) => {
        const { body } = await agent.send('GET', '/.well-known/jwks.json');
        const kids = (body['keys'] as { readonly kid: string }[]).map(({ kid }) => kid);
        const { status } = await agent.whoami(token);
        return { kids: String(kids), status, exchanged: (await exchanged(agent)).status };
      });
      return Promise.all(all);
    };
    const [before] = await told();
    assert.equal(before?.status, 200);
    assert.deepEqual(await told(), [before, before]);
    const env = environmentOf({ ...options, dataDir: join(folder, 'terminal') }, issuer);
    const terminal = await createService(env);
    await terminal.engines.store.open();
    await terminal.commands['keys']?.(['drop', before?.kids ?? ''], {});
    const from = performance.now();
    const isOver = ({ kids, status, exchanged }: typeof before & object) =>
      kids !== before?.kids && status === 401 && exchanged === 400;
    while (!(await told()).every(isOver)) await sleep(20);
    const ms = performance.now() - from;
    // Keys are read again each minute: whoever waits for that takes longer.
    assert.ok(ms < 30_000, `after ${ms} ms`);
    const [one, two] = await told();
    assert.equal(one?.kids, two?.kids, 'both sign with the next one');
    await terminal.life.stop();
  });

  test('a proof of a key counts once for both (RFC 9449 section 11.1)', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    const proof = (claims: object) =>
      new SignJWT({ jti: randomUUID(), ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
        .setIssuedAt()
        .sign(privateKey);
    const { identity_assertion: assertion } = await register(issuer);
    const form = new URLSearchParams({
      ...{ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion },
      resource: issuer,
    });
    const bound = await proof({ htm: 'POST', htu: `${issuer}/oauth2/token` });
    const given = await fetch(`${other}/oauth2/token`, {
      ...{ method: 'POST', body: form, headers: { dpop: bound } },
    });
    const { access_token: token, token_type: type } = (await given.json()) as Record<
      string,
      string
    >;
    assert.equal(type, 'DPoP');
    const ath = createHash('sha256').update(String(token)).digest('base64url');
    const dpop = await proof({ htm: 'GET', htu: `${issuer}/agent/identity`, ath });
    const told = await atOnce((base) =>
      new Agent(base).send('GET', '/agent/identity', undefined, {
        authorization: `DPoP ${token}`,
        dpop,
      }),
    );
    assert.equal(good(told).length, 1);
    assert.ok(told.every(({ status }) => status === 200 || status === 401));
  });
});

async function keysAt(base: string): Promise<readonly string[]> {
  const answer = await fetch(`${base}/.well-known/jwks.json`);
  const { keys } = (await answer.json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}

const kidOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;

test('keys change under two replicas, and nobody notices', async (t: TestContext) => {
  const postgres = await PostgresServer.start();
  t.after(() => postgres.stop());
  const port = await freePort();
  const env = {
    SERVICE_AUTH: 'required',
    SERVICE_DATABASE_URL: await postgres.createDatabase(),
    SERVICE_BASE_URL: `http://127.0.0.1:${port}`,
    SERVICE_SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
    SERVICE_AUDIT_KEY: Buffer.alloc(32, 7).toString('base64'),
    SERVICE_REGISTRATIONS_PER_NETWORK: '1000',
    SERVICE_REGISTRATIONS_PER_HOUR: '1000',
  };
  const one = await serveIdentity(t, { ...env, PORT: String(port) });
  const two = await serveIdentity(t, env);
  const bases = [one.base, two.base] as const;
  const minute = 60_000;
  /** Let time go on, and the replicas do what is due then. */
  const wait = async (ms: number, isSo: () => Promise<boolean>) => {
    one.advance(ms);
    while (!(await isSo())) {
      // The job that changes them comes by in its own time.
      await sleep(1000);
      one.advance(1000);
    }
  };
  const isPublished = (count: number) => async () => {
    const found = await Promise.all(bases.map(keysAt));
    return found.every((kids) => kids.length === count);
  };
  const { identity_assertion: assertion } = await register(one.base);
  const [first] = await keysAt(one.base);
  assert.equal(kidOf(assertion), first);
  await wait(30 * 24 * 60 * minute - 30 * minute, isPublished(2));
  const early = await register(two.base);
  assert.equal(
    kidOf(early.identity_assertion),
    first,
    'the next one is published, and signs nothing',
  );
  const signsWith = async (base: string) => kidOf((await register(base)).identity_assertion);
  await wait(31 * minute, async () => (await signsWith(one.base)) !== first);
  const late = await register(one.base);
  assert.notEqual(kidOf(late.identity_assertion), first);
  for (const base of bases) {
    for (const { identity_assertion } of [early, late]) {
      const { status, text } = await exchange(base, identity_assertion);
      assert.equal(status, 200, text);
    }
  }
  await wait(minute, async () => (await signsWith(two.base)) !== first);
});
