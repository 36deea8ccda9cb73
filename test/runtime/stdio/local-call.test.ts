import assert from 'node:assert/strict';
import test from 'node:test';
import { pino } from 'pino';
import { callLocally, type LocalCall } from '../../../runtime/stdio/local-call.ts';
import { deleting } from '../admission/confirm/confirm-server.ts';
import { toolOf } from '../in-memory-tools.ts';
import { dataFolder } from './data-folder.ts';
import { startLocalService } from './local-service.ts';

const log = pino({ level: 'silent' });
const deletion = {
  name: 'delete_file',
  args: { path: '/a' },
  capabilities: { elicitation: { form: {} } },
};

test('where no server runs on the data directory, nothing is called', async (t) => {
  assert.equal(await callLocally(dataFolder(t), deletion, log), undefined);
});

test('the server that runs asks before it acts, and acts once on a yes (MCP 2026-07-28, MRTR)', async (t) => {
  const deleted: unknown[] = [];
  const { dataDir, service } = await startLocalService(t, [deleting(deleted)]);
  await service.life.start();
  await service.life.ready();
  const ask = (more: Partial<LocalCall> = {}) =>
    callLocally(dataDir, { ...deletion, ...more }, log);
  const asked = await ask();
  assert.ok(asked?.kind === 'input');
  const [[key, question] = []] = Object.entries(asked.requests);
  assert.ok(key !== undefined && question?.method === 'elicitation/create');
  assert.match(question.params.message, /path: "\/a"/);
  assert.deepEqual(deleted, []);

  const { requestState } = asked;
  const inputResponses = { [key]: { action: 'accept', content: { approve: true } } };
  const done = await ask({ inputResponses, requestState });
  assert.ok(done?.kind === 'result');
  assert.deepEqual(done.result.content, [{ type: 'text', text: 'deleted /a' }]);
  assert.deepEqual(deleted, ['/a']);
});

test('what the server refuses comes with its own words', async (t) => {
  const { dataDir } = await startLocalService(t, []);
  const answer = await callLocally(dataDir, { ...deletion, name: 'osv_gte' }, log);
  assert.ok(answer?.kind === 'refused');
  assert.match(answer.message, /no tool called "osv_gte"; did you mean "osv_get"/);
});

test('the operator calls for the tenant that is named, and for none that there is not', async (t) => {
  const whose = toolOf({ name: 'whose' }, async (_, { caller }) => ({
    content: [{ type: 'text', text: caller.tenant }],
  }));
  const { dataDir, service } = await startLocalService(t, [whose], {
    SERVICE_TENANTS: JSON.stringify([{ id: 'acme', providers: [] }, { id: 'globex' }]),
    SERVICE_BASE_URL: 'http://127.0.0.1:3000',
  });
  await service.life.start();
  const ask = (tenant: string | undefined, name: string) =>
    callLocally(dataDir, { name, args: {}, capabilities: {}, tenant }, log);
  for (const tenant of [undefined, 'default', 'acme']) {
    const told = await ask(tenant, 'whose');
    assert.ok(told?.kind === 'result', JSON.stringify(told));
    assert.deepEqual(told.result.content, [{ type: 'text', text: tenant ?? 'default' }]);
  }
  const away = await ask('acme', 'osv_get');
  assert.ok(away?.kind === 'refused');
  assert.match(away.message, /no tool called "osv_get"/);
  for (const tenant of ['nobody', '../command', 'acme?x']) {
    const refused = await ask(tenant, 'whose');
    assert.deepEqual(refused, {
      kind: 'refused',
      message: 'there is no such tenant; there are default, acme, globex',
    });
  }
});
