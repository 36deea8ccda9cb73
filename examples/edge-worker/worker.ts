// A worker elsewhere: it joins, says how it is, and completes the tasks that it is given. All that it
// knows stands in the AsyncAPI document of the server (channel `edge`) and in docs/bus.md.
//
//   NATS_URL=nats://127.0.0.1:4222 WORKER_ID=lab-1 node examples/edge-worker/worker.ts

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AckPolicy, type ConsumerMessages, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';

const stream = 'SERVICE_EDGE';
const worker_id = process.env['WORKER_ID'] ?? `worker-${process.pid}`;
const region = process.env['REGION'] ?? 'unknown';
/** Set it where several tenants share the server; left out where there is one. */
const tenant = process.env['TENANT'];
const statusMs = Number(process.env['STATUS_MS'] ?? 10_000);

interface Task {
  readonly task_id: string;
  readonly kind: string;
  readonly worker_id?: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

/** What this worker can do, by the kind of the task. Doing it twice must do no harm. */
const skills: Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => object>> = {
  count_words({ text }) {
    if (typeof text !== 'string') throw new Error('input.text must be a text');
    return { words: text.split(/\s+/).filter((word) => word !== '').length };
  },
};

const connection = await connect({
  servers: (process.env['NATS_URL'] ?? 'nats://127.0.0.1:4222').split(','),
  ...(process.env['NATS_USER'] && {
    user: process.env['NATS_USER'],
    pass: process.env['NATS_PASSWORD'] ?? '',
  }),
  maxReconnectAttempts: -1,
});
const client = jetstream(connection);
const manager = await jetstreamManager(connection, { checkAPI: false });
const open: ConsumerMessages[] = [];
let running = 0;
let isLeaving = false;

const subjectOf = (event: string) => ['service.edge', ...(tenant ? [tenant] : []), event].join('.');

/** Publish a CloudEvent in binary mode; the same id again within two minutes changes nothing. */
async function say(event: string, more: object = {}, id: string = randomUUID()): Promise<void> {
  const attributes = headers();
  attributes.set('ce-specversion', '1.0');
  attributes.set('ce-id', id);
  attributes.set('ce-source', `urn:worker:${worker_id}`);
  attributes.set('ce-type', `service.edge.${event}.v1`);
  attributes.set('ce-time', new Date().toISOString());
  attributes.set('ce-datacontenttype', 'application/json');
  const data = JSON.stringify({ worker_id, region, load: running, ...more });
  // Tenants share a stream, and each has ids of its own.
  const msgID = tenant && tenant !== 'default' ? `${tenant}/${id}` : id;
  await client.publish(subjectOf(event), data, { msgID, headers: attributes });
}

/** A stream holds the tasks of all tenants: whose a consumer is, its name says. No tenant, worker or kind has a `=`. */
const consumerOf = (what: 'kind' | 'worker', name: string) =>
  [`edge_${what}`, tenant || 'default', name].join('=');

/** The task of a message; nothing where it is none, whoever has sent it. */
function taskIn(text: string): Task | undefined {
  try {
    const { task_id, kind, input = {}, worker_id: worker } = JSON.parse(text);
    if (typeof task_id !== 'string' || !/^[!-~]+$/.test(task_id)) return undefined;
    if (typeof kind !== 'string' || typeof input !== 'object' || input === null) return undefined;
    return { task_id, kind, input, ...(worker !== undefined && { worker_id: worker }) };
  } catch {
    return undefined;
  }
}

async function complete({ task_id, kind, input = {} }: Task): Promise<void> {
  running += 1;
  let outcome: object;
  try {
    // Not what every object has, such as toString.
    const skill = Object.hasOwn(skills, kind) ? skills[kind] : undefined;
    if (skill === undefined) throw new Error(`there is no skill ${kind}`);
    outcome = { result: skill(input) };
  } catch (error) {
    outcome = { error: String(error).slice(0, 2000) };
  }
  running -= 1;
  await say('completion', { task_id, ...outcome }, `${task_id}.completion`);
}

/** Take tasks: workers that use the same name share them, and each task goes to one of them. */
async function take(name: string, isMine: (task: Task) => boolean): Promise<void> {
  await manager.consumers.add(stream, {
    durable_name: name,
    filter_subject: subjectOf('assigned'),
    ack_policy: AckPolicy.Explicit,
    ack_wait: 30_000_000_000,
    max_deliver: 6,
  });
  const messages = await (await client.consumers.get(stream, name)).consume({ max_messages: 1 });
  open.push(messages);
  for await (const message of messages) {
    const task = taskIn(message.string());
    try {
      // What is somebody else's, somebody else takes from a consumer of their own.
      if (task !== undefined && isMine(task)) await complete(task);
      // After the completion is stored: after a crash in between, the task comes again.
      await message.ackAck();
    } catch (error) {
      // What was not acknowledged comes again.
      console.error('a task was not completed:', error);
    }
  }
}

// The server makes the stream when it starts; perhaps this worker was first.
while (
  !(await say('join').then(
    () => true,
    () => false,
  ))
)
  await sleep(1000);
const ended = [
  take(consumerOf('worker', worker_id), (task) => task.worker_id === worker_id),
  ...Object.keys(skills).map((kind) =>
    take(consumerOf('kind', kind), (task) => task.worker_id === undefined && task.kind === kind),
  ),
];
const status = setInterval(() => void say('status').catch(console.error), statusMs);
await say('status');
console.log(`${worker_id} has joined`);

process.once('SIGTERM', async () => {
  if (isLeaving) return;
  isLeaving = true;
  clearInterval(status);
  for (const messages of open) await messages.close();
  await Promise.allSettled(ended);
  await say('leave');
  await connection.drain();
});
await Promise.all(ended);
