import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallContext } from '#contract/caller';
import { createEvents, eventCatalogue } from '../../generated/events.ts';
import { startBusEngine } from '../../runtime/bus/bus-engine.ts';
import { createStore } from '../../runtime/store/index.ts';
import { WorkflowEngine } from '../../runtime/surfaces/workflows/engine.ts';
import { RunTable } from '../../runtime/surfaces/workflows/run-table.ts';
import { deadLetters, stream } from '../bus/contract/streams.ts';
import { outputsOf, stepOf, workflowOf } from '../surfaces/workflows/test-workflows.ts';
import { inFlight, seconds } from './in-flight.ts';
import { median, type Row } from './row.ts';

const runs = 200;
const atATime = 32;
const rounds = 3;
/** Every other step may not be done twice, and is written down before it begins, too. */
const steps = Array.from({ length: 10 }, (_, index) =>
  stepOf({
    id: `step${index}`,
    repeat: index % 2 === 0 ? 'safe' : 'once',
    outputs: outputsOf(['answer']),
  }),
);
const workflow = workflowOf('test_bench', steps, { last: '$steps.step9.outputs.answer' });

/** Runs of a workflow on SQLite whose tools answer at once: what is left is to keep each step. */
export async function workflowBench(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'workflow-bench-'));
  const store = createStore({ dataDir: join(folder, 'data') });
  await store.open();
  const streams = [
    stream({ name: 'SERVICE_WORKFLOW', subjects: ['service.workflow.>'] }),
    deadLetters,
  ];
  const { bus, stop } = await startBusEngine({
    ...{ store, streams, catalogue: eventCatalogue, isShared: false, owner: 'bench' },
    nats: undefined,
    onPublished: () => {},
    onFailure: (text, error) => console.error(text, error),
  });
  const done = { content: [], structuredContent: { answer: 'a'.repeat(200) } };
  const engine = new WorkflowEngine({
    table: new RunTable({ store, events: createEvents(bus), now: Date.now }),
    tools: { call: async () => done, definition: async () => undefined },
    confirm: {
      require: () => Promise.reject(new Error('nobody is asked')),
      withdraw: async () => {},
    },
    now: Date.now,
    find: async () => undefined,
    ...{ onStart: () => {}, onStep: () => {}, onEnd: () => {} },
  });
  const rates: number[] = [];
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round++) {
    const took = await seconds(() =>
      inFlight(atATime, runs, async (number) => {
        await engine.run(workflow, { text: 'a' }, contextOf(`${round}/${number}`));
      }),
    );
    await bus.drain();
    rates.push((runs * steps.length) / took);
  }
  const { user, system } = process.cpuUsage(before);
  const bySecond = (runs * steps.length * rounds) / ((user + system) / 1e6);
  await stop();
  await store.close();
  rmSync(folder, { recursive: true });
  const rate = median(rates);
  return [
    {
      what: 'workflows: steps per second, checkpointed',
      target: '500',
      measured: Math.round(rate).toLocaleString('en'),
      met: rate >= 500,
      detail: `${Math.round(bySecond)} in a second of processor time; flushed, each with its event; ${atATime} runs at a time, half of the steps written down before they begin, too`,
    },
  ];
}

function contextOf(callId: string): CallContext {
  return {
    caller: {
      ...{ tenant: 'default', subject: 'local', client: 'bench' },
      ...{ scopes: 'all', transport: 'mcp' },
    },
    signal: new AbortController().signal,
    callId,
    client: { capabilities: {} },
    answers: { responses: {}, round: 0 },
  };
}
