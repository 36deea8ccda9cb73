import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { sqliteDatabase } from '../../store/replicas.ts';
import { ask, can, deleting, startConfirmServer } from './confirm-server.ts';

async function start(t: TestContext, now = Date.now) {
  const [store] = await (await sqliteDatabase(t)).replicas(1);
  assert.ok(store);
  const deleted: unknown[] = [];
  const tool = deleting(deleted);
  const { input } = tool.definition;
  const confirmed = { ...tool.definition, confirm: 'token' as const };
  // What its arguments are held to knows nothing of the token either.
  const tools = [{ ...tool, definition: confirmed, wholeInput: async () => input }];
  const { url } = await startConfirmServer(t, { store, tools, now });
  const call = (args: object) => ask(url, can.forms, { name: 'delete_file', arguments: args });
  const token = async (path: string) => {
    const { error } = (await call({ path })).structuredContent ?? {};
    assert.equal(error?.code, 'confirmation_required');
    assert.match(error.message, new RegExp(`Delete a file for good[^]*"${path}"`));
    return error.confirm_token ?? '';
  };
  return { url, deleted, call, token };
}

test('the same call runs with the token that its first answer gave, once', async (t) => {
  const { url, deleted, call, token } = await start(t);
  const { tools } = (await ask(url, {}, {}, 'tools/list')) as unknown as {
    tools: { inputSchema: { properties: object } }[];
  };
  assert.ok('confirm_token' in (tools[0]?.inputSchema.properties ?? {}));
  const confirm_token = await token('/a');
  assert.deepEqual(deleted, []);
  assert.equal((await call({ path: '/a', confirm_token })).content?.[0]?.text, 'deleted /a');
  assert.equal((await call({ path: '/a', confirm_token })).isError, true);
  assert.deepEqual(deleted, ['/a']);
});

test('a token is worth nothing for other arguments, changed, or after ten minutes', async (t) => {
  let now = Date.now();
  const { deleted, call, token } = await start(t, () => now);
  const confirm_token = await token('/a');
  for (const args of [
    { path: '/b', confirm_token },
    { path: '/a', confirm_token: 'e30.e30' },
    { path: '/a', confirm_token: '' },
  ]) {
    assert.match((await call(args)).content?.[0]?.text ?? '', /is not one of this call/);
  }
  now += 600_001;
  assert.match(
    (await call({ path: '/a', confirm_token })).content?.[0]?.text ?? '',
    /is not one of this call/,
  );
  assert.deepEqual(deleted, []);
});

test('nothing that such a call answers speaks of a person, or of an approval', async (t) => {
  const { call } = await start(t);
  const answers = [
    await call({ path: '/a' }),
    await call({ path: '/a', confirm_token: 'wrong' }),
    await call({ path: `/${'a'.repeat(100_000)}` }),
  ];
  const confirm_token = answers[0]?.structuredContent?.error?.confirm_token;
  await call({ path: '/a', confirm_token });
  answers.push(await call({ path: '/a', confirm_token }), await call({ path: '/a' }));
  for (const { content } of answers) {
    assert.match(content?.[0]?.text ?? '', /^confirmation_required: /);
    assert.doesNotMatch(content?.[0]?.text ?? '', /person|user|people|somebody|approv/i);
  }
  assert.match(answers[2]?.content?.[0]?.text ?? '', /as they were sent, 10\d\d\d\d characters/);
});
