import assert from 'node:assert/strict';
import test from 'node:test';
import { pino } from 'pino';
import { callLocally, type LocalCall } from '../../../runtime/stdio/local-call.ts';
import { deleting } from '../admission/confirm-server.ts';
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
