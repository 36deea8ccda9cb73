import assert from 'node:assert/strict';
import test from 'node:test';
import { createAdmission } from '../../../../runtime/admission/admission.ts';
import { Call, ClientGone } from '../../../../runtime/admission/call.ts';
import { subscriptionsListen } from '../../../../runtime/mcp/methods/subscriptions-listen.ts';
import {
  Subscriptions,
  TooManySubscriptions,
} from '../../../../runtime/mcp/request/subscriptions.ts';
import { Changes } from '../../../../runtime/offer/changes.ts';
import { Resources } from '../../../../runtime/offer/resources.ts';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { modern } from '../rpc.ts';
import { listen } from './listening.ts';

const subscriptionId = 'io.modelcontextprotocol/subscriptionId';
const watched = {
  definition: { uri: 'test://watched', name: 'watched', access: 'public' },
  read: async () => [{ uri: 'test://watched', text: 'now' }],
} as const;

test('the first event grants what there is, with the id of the request (subscriptions/listen)', async (t) => {
  const url = await startInMemoryServer(t, { resources: [watched] });
  const next = await listen(t, url, 'sub-1', {
    toolsListChanged: true,
    promptsListChanged: false,
    resourceSubscriptions: ['test://watched', 'test://nowhere'],
  });
  assert.deepEqual(await next(), {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: {
      notifications: { toolsListChanged: true, resourceSubscriptions: ['test://watched'] },
      _meta: { [subscriptionId]: 'sub-1' },
    },
  });
});

test('each stream hears of what it was granted, and of nothing else', async (t) => {
  const changes = new Changes();
  const url = await startInMemoryServer(t, { resources: [watched], changes });
  const tools = await listen(t, url, 'a', { toolsListChanged: true });
  const rest = await listen(t, url, 'b', {
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ['test://watched'],
  });
  await Promise.all([tools(), rest()]);
  changes.emit('prompts', undefined);
  changes.emit('resources', undefined);
  changes.emit('resource', 'test://another');
  changes.emit('resource', 'test://watched');
  changes.emit('tools', undefined);
  const heard = await tools();
  assert.equal(heard.method, 'notifications/tools/list_changed');
  assert.deepEqual(heard.params._meta, { [subscriptionId]: 'a' });
  assert.equal((await rest()).method, 'notifications/prompts/list_changed');
  assert.equal((await rest()).method, 'notifications/resources/list_changed');
  const updated = await rest();
  assert.equal(updated.method, 'notifications/resources/updated');
  assert.equal(updated.params['uri'], 'test://watched');
});

test('a client that takes no events cannot listen: 406', async (t) => {
  const url = await startInMemoryServer(t);
  const message = { method: 'subscriptions/listen', params: { notifications: {} } };
  const { status, body } = await modern(url, message, { accept: 'application/json' });
  assert.equal(status, 406);
  assert.match(body.error?.message ?? '', /text\/event-stream/);
});

test('what is asked for must be well formed: -32602, with the member named', async (t) => {
  const url = await startInMemoryServer(t);
  for (const [notifications, named] of [
    [undefined, /"notifications"/],
    [{ toolsListChanged: 'yes' }, /toolsListChanged/],
    [{ resourceSubscriptions: [7] }, /resourceSubscriptions/],
    [{ taskIds: 'a' }, /taskIds/],
  ] as const) {
    const { body } = await modern(url, {
      method: 'subscriptions/listen',
      params: { notifications },
    });
    assert.equal(body.error?.code, -32602);
    assert.match(body.error.message, named);
  }
});

const caller = { tenant: 't', subject: 's', client: 'c', scopes: 'all', transport: 'mcp' } as const;

test('a subscription ends with its client, or with an answer when the server stops', async () => {
  const subscriptions = new Subscriptions(new Changes());
  const heard: string[] = [];
  const notify = (method: string) => void heard.push(method);
  const leaving = new Call(caller, undefined, { notifier: { notify }, requestId: 1 });
  const left = subscriptions.listen({}, leaving);
  leaving.abort(new ClientGone());
  await assert.rejects(left, ClientGone);
  assert.equal(subscriptions.size, 0);
  const staying = subscriptions.listen(
    {},
    new Call(caller, undefined, { notifier: { notify }, requestId: 2 }),
  );
  assert.equal(subscriptions.size, 1);
  subscriptions.end();
  await staying;
  const late = new Call(caller, undefined, { notifier: { notify }, requestId: 3 });
  await assert.rejects(subscriptions.listen({}, late), { status: 503 });
  assert.equal(heard.length, 2);
});

test('a process keeps at most 1,024 subscriptions open', async () => {
  const subscriptions = new Subscriptions(new Changes());
  const open = () =>
    subscriptions.listen(
      {},
      new Call(caller, undefined, { notifier: { notify() {} }, requestId: 1 }),
    );
  const all = Array.from({ length: 1024 }, open);
  await assert.rejects(open(), TooManySubscriptions);
  const method = subscriptionsListen({
    resources: new Resources([], createAdmission({ callRate: 0 })),
    subscriptions,
  });
  const call = new Call(caller, undefined, { notifier: { notify() {} }, requestId: 'late' });
  const outcome = await method.run({ notifications: {} }, call);
  const text = 'the server keeps at most 1024 subscriptions open; try again later';
  assert.deepEqual(outcome, {
    kind: 'rejected',
    code: -32603,
    message: text,
    data: { retryAfterMs: 5000 },
  });
  subscriptions.end();
  await Promise.all(all);
});
