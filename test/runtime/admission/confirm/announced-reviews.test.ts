import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test, { type TestContext } from 'node:test';
import { eventCatalogue, eventStreams } from '../../../../generated/events.ts';
import { Approvals } from '../../../../runtime/admission/confirm/approvals.ts';
import { startBusEngine } from '../../../../runtime/bus/bus-engine.ts';
import { deadLetters } from '../../../bus/contract/streams.ts';
import { openStore } from '../../store/replicas.ts';
import { temporaryDirectory } from '../../store/temporary-directory.ts';

// What the event bus tells of questions to people.

async function start(t: TestContext, isTold = true) {
  const store = await openStore(t, { dataDir: temporaryDirectory(t) });
  const sized = eventStreams.map((each) => ({ ...each, maxBytes: each.maxBytes.development }));
  const { bus, stop } = await startBusEngine({
    ...{ store, streams: [...sized, deadLetters], isShared: false, catalogue: eventCatalogue },
    ...{ owner: randomUUID(), nats: undefined },
    onPublished: () => {},
    onFailure: (message, error) => t.diagnostic(`${message}: ${error}`),
  });
  t.after(stop);
  let now = Date.now();
  const approvals = new Approvals({
    ...{ store, jobs: { define: () => {}, wake: () => {} } },
    events: { approvalDecided: (async () => ({ seq: 1 })) as never },
    announcements: isTold ? bus : undefined,
    now: () => now,
  });
  const ask = (path: string) =>
    approvals.request({
      caller: {
        ...{ tenant: 'default', subject: 'usr_1', registration: 'reg_1', client: 'reg_1' },
        ...{ scopes: new Set<string>(), transport: 'mcp' },
      },
      ...{ client: 'test', operation: 'delete_file', digest: path },
      question: () => ({ arguments: [] }),
    });
  const told = async (count: number) => {
    while ((await bus.waiting()) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const { messages } = await bus.read({ stream: 'SERVICE_AGENT', limit: 100 });
    assert.equal(messages.length, count);
    return messages.map(({ name, event }) => ({ name, ...(event.data as object) }));
  };
  const advance = (ms: number) => {
    now += ms;
  };
  return { store, approvals, ask, told, advance };
}

const by = { tenant: 'default', actor: { type: 'user', id: 'usr_1' } } as const;
const about = { agent_id: 'reg_1', task: 'delete_file' };

test('a question is told when it begins to wait, and again when it is decided or over', async (t) => {
  const { approvals, ask, told, advance } = await start(t);
  const [one, two] = [await ask('/a'), await ask('/b')];
  await ask('/a');
  assert.equal(await approvals.decide(one, 'approved', by), true);
  assert.equal(await approvals.decide(one, 'declined', by), false, 'decided once');
  advance(600_001);
  await approvals.removeExpired();
  const events = await told(4);
  const [first, second] = events.map(
    (each) => (each as { correlation_id?: string }).correlation_id,
  );
  assert.deepEqual(events, [
    { name: 'agent.hitl.enqueued', ...about, to: 'pending', correlation_id: first },
    { name: 'agent.hitl.enqueued', ...about, to: 'pending', correlation_id: second },
    {
      ...{ name: 'agent.hitl.annotated', ...about },
      ...{ from: 'pending', to: 'approved', correlation_id: first },
    },
    { name: 'agent.hitl.expired', ...about, correlation_id: second },
  ]);
  assert.notEqual(first, second);
  for (const { id } of [one, two])
    assert.ok(!JSON.stringify(events).includes(id), 'no key of a page');
});

test('nothing is told where the bus is off', async (t) => {
  const { approvals, ask, told } = await start(t, false);
  assert.equal(await approvals.decide(await ask('/a'), 'declined', by), true);
  await told(0);
});

test('nothing is told of a decision that does not hold', async (t) => {
  const { store, approvals, ask, told } = await start(t);
  const asked = await ask('/c');
  await store.transaction((tx) => approvals.attach(tx, asked, 'task_1'));
  approvals.whenDecided(() => Promise.reject(new Error('cut off')));
  await assert.rejects(approvals.decide(asked, 'approved', by), /cut off/);
  assert.equal((await approvals.find(asked))?.state, 'pending');
  await told(1);
});
