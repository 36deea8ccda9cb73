import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '#contract/errors';
import { createStore } from '../../../runtime/store/index.ts';
import { type EventPlace, keeper, keepWithEvent, startEvents } from '../kept-events.ts';
import { mark, section } from '../marks.ts';

/**
 * Publishes events, alone and with rows, and handles them, until it is killed; tells which were
 * acknowledged and which were handled.
 */
const [words = '', round = ''] = process.argv.slice(2);
const place: EventPlace = JSON.parse(words);
const store = createStore(place.options);
await store.open();
const running = await startEvents(store, place);
const { bus, events } = running;

/** Whether it was done; what the store or the bus did not do is a 503, and nothing else. */
async function tryTo(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    const refused = error instanceof ServiceError && error.status === 503;
    mark(refused ? 'refused' : 'failed', refused ? error.code : JSON.stringify(String(error)));
    await sleep(10);
    return false;
  }
}

const consume = () =>
  bus.consume(keeper, async ({ event: { id } }) => {
    mark('handled', id);
    // Some die between what they did and its acknowledgement.
    if (id.endsWith('7')) await sleep(1);
  });
while (!(await tryTo(consume)));
setInterval(() => running.look(), 500);

async function publish(id: string): Promise<void> {
  const facts = { tenant: 'default', id, data: { agent_id: id } };
  while (!(await tryTo(() => events.agent.state(facts))));
  mark('acknowledged', id);
}

async function keep(id: string): Promise<void> {
  if (await tryTo(() => keepWithEvent(store, running, id))) mark('acknowledged', id);
}

for (let number = 0; ; number++) {
  await section(() =>
    Promise.all([
      publish(`d/${round}/a/${number}`),
      publish(`d/${round}/b/${number}`),
      keep(`t/${round}/${number}`),
    ]),
  );
  await sleep(number % 3);
}
