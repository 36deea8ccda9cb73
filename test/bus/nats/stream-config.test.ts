import assert from 'node:assert/strict';
import test from 'node:test';
import { JetStreamApiError, type JetStreamManager, type StreamConfig } from '@nats-io/jetstream';
import { ensureStream } from '../../../runtime/bus/nats/stream-config.ts';
import { stream } from '../contract/streams.ts';

const keeping = { isPersistent: true, replicas: 1 };
const code = (err_code: number, description: string) =>
  new JetStreamApiError({ code: 400, err_code, description });

/** A server that refuses a new stream for its subjects; `made` is what another replica has made meanwhile. */
function overlapping(made?: (wanted: StreamConfig) => StreamConfig) {
  const told: string[] = [];
  let config: StreamConfig | undefined;
  const streams = {
    info: async () => {
      if (config === undefined) throw code(10_059, 'stream not found');
      return { config };
    },
    add: async (wanted: StreamConfig) => {
      told.push('add');
      config = made?.(wanted);
      throw code(10_065, 'subjects overlap with an existing stream');
    },
    update: async (_: string, wanted: StreamConfig) => {
      told.push('update');
      config = wanted;
      return { config };
    },
  };
  return { manager: { streams } as unknown as JetStreamManager, told };
}

test('a stream that another replica makes at the same moment is there (errors.json, 10065)', async () => {
  const { manager, told } = overlapping((wanted) => wanted);
  await ensureStream(manager, stream({}), keeping);
  assert.deepEqual(told, ['add']);
});

test('one that it has made otherwise becomes what is declared', async () => {
  const { manager, told } = overlapping((wanted) => ({ ...wanted, max_bytes: 1 }));
  await ensureStream(manager, stream({}), keeping);
  assert.deepEqual(told, ['add', 'update']);
});

test('subjects that a stream of another name takes are still a fault', async () => {
  const { manager } = overlapping();
  await assert.rejects(ensureStream(manager, stream({}), keeping), /subjects overlap/);
});
