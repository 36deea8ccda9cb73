import assert from 'node:assert/strict';
import test from 'node:test';
import { consumerDefaults } from '#contract/bus/consumer';
import type { Link } from '../../../runtime/bus/nats/nats-connection.ts';
import { NatsConsumer } from '../../../runtime/bus/nats/nats-consumer.ts';

test('a consumer that waits for a server that is away can be stopped', async () => {
  const waits = Promise.withResolvers<void>();
  const never = new Promise<Link>(() => {});
  // Its first server says that the consumer is gone; there is no second one.
  const link = {
    manager: { consumers: { info: async () => ({}), update: async () => ({}) } },
    client: {
      consumers: {
        getConsumerFromInfo: () => ({
          consume: async () => Object.assign((async function* () {})(), { stop: () => {} }),
        }),
      },
    },
  } as unknown as Link;
  let asked = 0;
  const consumer = new NatsConsumer({
    consumer: { ...consumerDefaults, stream: 'TEST', name: 'test', filter: '>' },
    handler: async () => {},
    tenantOf: undefined,
    async ready() {
      asked += 1;
      if (asked === 1) return link;
      waits.resolve();
      return never;
    },
    publish: async () => {},
    ...{ onDelivery: () => {}, onDead: () => {}, onFailure: (error) => assert.fail(String(error)) },
  });
  await consumer.start();
  await waits.promise;
  await consumer.stop();
  assert.equal(asked, 2);
});
