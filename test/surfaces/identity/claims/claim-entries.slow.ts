import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { createIdentityEvents } from '../../../../generated/surfaces/identity/events.ts';
import { createService, type Service } from '../../../../runtime/main.ts';
import { writeNotes } from '../../../../runtime/surfaces/identity/outbox/write-notes.ts';
import { Agent, personAt } from '../claiming-agent.ts';

const email = 'ada@example.com';

/** Serve with a folder. */
async function serve(dataDir: string) {
  const service = await createService({
    ...{ SERVICE_DATA_DIR: dataDir, SERVICE_PROVIDER: 'osv', SERVICE_LOG_LEVEL: 'silent' },
  });
  await service.life.start();
  const agent = new Agent(
    new URL(await service.http.listen({ host: '127.0.0.1', port: 0 })).origin,
  );
  const stop = async () => {
    service.mcp.endpoint.drain();
    await service.http.close();
    await service.life.stop();
  };
  return { service, agent, stop };
}

/** The entries of a registration, the oldest first, once there are as many. */
async function entriesOf(service: Service, subject: string, count: number) {
  const log = await service.engines.audit.open();
  for (;;) {
    const { records } = await log.list({ subject, limit: 100 });
    const entries = records.map(({ entry }) => entry).toReversed();
    if (entries.length >= count) return entries;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('what has become of a claim is written down also by the server that starts after a crash', {
  timeout: 30_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'identity-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'data');
  const first = await serve(dataDir);
  let ended = false;
  t.after(() => (ended ? undefined : first.stop()));
  // It never gets to writing down what becomes of claims.
  t.mock.method(first.service.engines.audit, 'append', () => Promise.reject(new Error('cut off')));
  const begin = async () => {
    const registered = await first.agent.register({ type: 'service_auth', email });
    return {
      ...registered,
      person: await personAt(first.agent.base, registered.link ?? '', email),
    };
  };
  const claimed = await begin();
  const code = { user_code: claimed.userCode ?? '' };
  await claimed.person.send('/agent/identity/claim/complete', code);
  await claimed.person.open('/agents');
  await claimed.person.send('/agents/revoke');
  assert.match(claimed.person.page.text, /It was revoked/);
  const denied = await begin();
  await denied.person.send('/agent/claim/deny');
  assert.equal((await first.agent.view(denied.claimToken)).body['status'], 'denied');
  await first.stop();
  ended = true;

  const { service, stop } = await serve(dataDir);
  t.after(stop);
  const actions = async (id: string, count: number) =>
    (await entriesOf(service, id, count)).map(({ action }) => action).toSorted();
  assert.deepEqual(await actions(claimed.id, 4), [
    'CLAIM_CONFIRMED',
    'CLAIM_REQUESTED',
    'REGISTRATION_CREATED',
    'REGISTRATION_REVOKED',
  ]);
  assert.deepEqual(await actions(denied.id, 3), [
    'CLAIM_DENIED',
    'CLAIM_REQUESTED',
    'REGISTRATION_CREATED',
  ]);
  const entries = await entriesOf(service, denied.id, 3);
  const requested = entries.find(({ action }) => action === 'CLAIM_REQUESTED');
  assert.equal(requested?.payload['domain'], 'example.com');
  assert.doesNotMatch(JSON.stringify(requested), /ada@/);

  // A run that was cut off after its entry is done again.
  const { audit } = service.engines;
  const write = writeNotes(createIdentityEvents(audit), audit);
  const { payload, correlation_id: id } = requested ?? assert.fail();
  const note = {
    ...{ action: 'CLAIM_REQUESTED', subject: denied.id, at: Date.now(), payload },
    actor: { type: 'agent', id: denied.id },
  };
  const job = (id: unknown) => ({
    ...{ tenant: 'default', attempt: 2 },
    payload: { ...note, id },
  });
  await write(job(id) as Parameters<typeof write>[0]);
  assert.equal((await entriesOf(service, denied.id, 3)).length, 3, 'once');
  await write(job(randomUUID()) as Parameters<typeof write>[0]);
  assert.equal((await entriesOf(service, denied.id, 4)).length, 4, 'the same again is another');
});
