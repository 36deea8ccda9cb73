import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect } from 'nats';
import { serve } from '../runtime/cli/served.ts';
import { temporaryDirectory } from '../runtime/store/temporary-directory.ts';
import { callTool } from '../surfaces/search/search-server.ts';
import { NatsServer, natsServers } from './nats-server.ts';

const folder = fileURLToPath(new URL('../../examples/edge-worker/', import.meta.url));
const python = process.env['MCP_CLIENTS_PYTHON'] ?? 'python3';

/** The workers of `examples/edge-worker`, each as its first lines say. */
const workers: Readonly<Record<string, readonly [string, string]>> = {
  TypeScript: [process.execPath, `${folder}worker.ts`],
  Python: [python, `${folder}worker.py`],
};

/** The accounts of docs/bus.md: what the server needs, and what a worker of one tenant needs. */
const accounts = (tenants: readonly string[]) => `
authorization { users: [
  { user: house, password: secret, permissions: {
    publish: ["service.>", "service_dlq.>", "$JS.API.>", "$JS.ACK.>", "$KV.>"]
    subscribe: ["_INBOX.>", "service.>", "$JS.EVENT.ADVISORY.>"] } }
  ${tenants.map(workerAccount).join('\n')}
] }`;

const kindOf = (tenant: string) => `edge_kind=${tenant || 'default'}=count_words`;

function workerAccount(tenant: string): string {
  const token = tenant === '' ? '' : `${tenant}.`;
  const own = ['lab-1', 'lab-2', 'lab-3'].map((id) => `edge_worker=${tenant || 'default'}=${id}`);
  const consumers = [kindOf(tenant), ...own].flatMap((name) => [
    `"$JS.API.CONSUMER.CREATE.SERVICE_EDGE.${name}.service.edge.${token}assigned"`,
    `"$JS.API.CONSUMER.INFO.SERVICE_EDGE.${name}"`,
    `"$JS.API.CONSUMER.MSG.NEXT.SERVICE_EDGE.${name}", "$JS.ACK.SERVICE_EDGE.${name}.>"`,
  ]);
  return `{ user: "worker${tenant}", password: secret, permissions: {
    publish: [
      "service.edge.${token}join", "service.edge.${token}leave"
      "service.edge.${token}status", "service.edge.${token}completion"
      ${consumers.join('\n')}
    ]
    subscribe: ["_INBOX.>"] } }`;
}

interface Seen {
  readonly name?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A server on a NATS that asks for accounts, and what an agent says and sees there over MCP. */
async function startHouse(t: TestContext, tenants: readonly string[] = ['']) {
  const binary = natsServers['newest'] ?? '';
  const nats = await NatsServer.start({ binary, configuration: accounts(tenants) });
  t.after(() => nats.stop());
  const { url } = await serve(t, {
    SERVICE_DATA_DIR: temporaryDirectory(t),
    SERVICE_ENABLE_BUS: '1',
    SERVICE_BUS_URL: nats.url.replace('//', '//house:secret@'),
    SERVICE_BUS_PERSISTENT: '1',
  });
  const seen = async (events: readonly string[]): Promise<readonly Seen[]> => {
    const page = await callTool(url, 'bus_read', { stream: 'SERVICE_EDGE', events, limit: 100 });
    return (page.structuredContent as unknown as { readonly events: readonly Seen[] }).events;
  };
  return {
    nats,
    seen,
    assign: async (data: object) => {
      const { isError, content } = await callTool(url, 'bus_publish', {
        ...{ event: 'edge.assigned', data },
      });
      assert.ok(!isError, JSON.stringify(content));
    },
    until: async (events: readonly string[], count: number) => {
      for (;;) {
        const found = await seen(events);
        if (found.length >= count) return found;
        await sleep(50);
      }
    },
    /** Start a worker, and wait for its word. */
    work: async (language: string, id: string, tenant = '') => {
      const [program, file] = workers[language] ?? assert.fail(language);
      const child = spawn(program, [file], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          ...{ PATH: process.env['PATH'], NATS_URL: nats.url, WORKER_ID: id, REGION: 'lab' },
          ...{
            TENANT: tenant,
            NATS_USER: `worker${tenant}`,
            NATS_PASSWORD: 'secret',
            STATUS_MS: '200',
          },
        },
      });
      t.after(() => child.kill('SIGKILL'));
      const [line] = await once(child.stdout, 'data');
      assert.match(String(line), new RegExp(`${id} has joined`));
      return child;
    },
  };
}

for (const language of Object.keys(workers)) {
  test(`a worker in ${language} joins, does what an agent gives it, and leaves`, async (t) => {
    const { assign, seen, until, work } = await startHouse(t);
    await assign({ task_id: 'early', kind: 'count_words', input: { text: 'one two' } });
    const child = await work(language, 'lab-1');
    await assign({
      task_id: 'mine',
      kind: 'count_words',
      worker_id: 'lab-1',
      input: { text: 'a' },
    });
    await assign({ task_id: 'other', kind: 'count_words', worker_id: 'lab-9', input: {} });
    await assign({ task_id: 'unknown', kind: 'paint' });
    await assign({ task_id: 'cannot', kind: 'toString', worker_id: 'lab-1' });
    await assign({ task_id: 'bad', kind: 'count_words', input: { text: 7 } });
    const completions = await until(['edge.completion'], 4);
    const outcomes = completions.map(({ name, data }) => {
      const { worker_id, task_id, result, error } = data;
      assert.deepEqual([name, worker_id, data['region']], ['edge.completion', 'lab-1', 'lab']);
      return [task_id, result ?? String(error).replace(/^Error: /, '')];
    });
    assert.deepEqual(Object.fromEntries(outcomes), {
      early: { words: 2 },
      mine: { words: 1 },
      bad: 'input.text must be a text',
      cannot: 'there is no skill toString',
    });
    assert.equal((await seen(['edge.join'])).length, 1);
    await until(['edge.status'], 2);
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    assert.deepEqual(await gone, [0, null]);
    assert.deepEqual(
      (await seen(['edge.leave'])).map(({ data }) => data['worker_id']),
      ['lab-1'],
    );
    assert.equal((await seen(['edge.completion'])).length, 4);
  });
}

test('workers of two tenants do the tasks of their own alone, and reach no others', async (t) => {
  const { nats, work } = await startHouse(t, ['acme', 'globex']);
  const as = async (user: string) => {
    const connection = await connect({ servers: nats.url, user, pass: 'secret' });
    t.after(() => connection.close());
    return connection;
  };
  const house = await as('house');
  const done: string[] = [];
  const enough = Promise.withResolvers<void>();
  house.subscribe('service.edge.*.completion', {
    callback: (_, message) => {
      const { worker_id, task_id } = message.json<{ worker_id: string; task_id: string }>();
      done.push(`${message.subject.split('.')[2]} ${worker_id} ${task_id}`);
      if (done.length === 6) enough.resolve();
    },
  });
  await work('TypeScript', 'lab-1', 'acme');
  await work('Python', 'lab-2', 'globex');
  for (const tenant of ['acme', 'globex']) {
    const subject = `service.edge.${tenant}.assigned`;
    // What is no task stops no worker.
    for (const odd of ['no JSON', 'null', '{"task_id":7}', '{"task_id":"a\\nb","kind":"x"}']) {
      await house.jetstream().publish(subject, odd);
    }
    for (const id of [1, 2, 3]) {
      const task = { task_id: `${tenant}-${id}`, kind: 'count_words', input: { text: 'a' } };
      await house.jetstream().publish(subject, JSON.stringify(task));
    }
  }
  await enough.promise;
  assert.deepEqual(
    done.toSorted(),
    [1, 2, 3].flatMap((id) => [`acme lab-1 acme-${id}`, `globex lab-2 globex-${id}`]).toSorted(),
  );
  const worker = await as('workeracme');
  const foreign = kindOf('globex');
  for (const subject of [
    `$JS.API.CONSUMER.MSG.NEXT.SERVICE_EDGE.${foreign}`,
    `$JS.API.CONSUMER.INFO.SERVICE_EDGE.${foreign}`,
    `$JS.API.CONSUMER.CREATE.SERVICE_EDGE.${foreign}.service.edge.acme.assigned`,
    `$JS.API.CONSUMER.CREATE.SERVICE_EDGE.mine.service.edge.globex.assigned`,
    `$JS.ACK.SERVICE_EDGE.${foreign}.1.1.1.1.0`,
  ]) {
    const refused = Promise.withResolvers<string>();
    void (async () => {
      for await (const { data } of worker.status()) {
        if (String(data).includes('PERMISSIONS')) return refused.resolve(subject);
      }
    })();
    worker.publish(subject, '{}');
    assert.equal(await refused.promise, subject);
  }
  const own = await worker.request(`$JS.API.CONSUMER.INFO.SERVICE_EDGE.${kindOf('acme')}`);
  assert.equal(own.json<{ name: string }>().name, kindOf('acme'));
});

test('a task of a worker that is killed is done by another one, once', async (t) => {
  const { assign, until, seen, work, nats } = await startHouse(t);
  const first = await work('TypeScript', 'lab-1');
  const gone = once(first, 'exit');
  first.kill('SIGKILL');
  await gone;
  for (let id = 0; id < 20; id++) {
    await assign({ task_id: `t${id}`, kind: 'count_words', input: { text: 'a b c' } });
  }
  await Promise.all([work('Python', 'lab-2'), work('TypeScript', 'lab-3')]);
  const done = await until(['edge.completion'], 20);
  assert.equal(new Set(done.map(({ data }) => data['task_id'])).size, 20);
  // A worker and its tasks outlive NATS.
  await nats.kill();
  await nats.restart();
  for (;;) {
    const late = { task_id: 'late', kind: 'count_words', input: { text: 'a' } };
    if (
      await assign(late).then(
        () => true,
        () => false,
      )
    )
      break;
    await sleep(200);
  }
  while ((await seen(['edge.completion']).catch(() => [])).length < 21) await sleep(100);
});
