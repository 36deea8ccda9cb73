import type {
  Bus,
  EventConsumer,
  EventDelivery,
  EventQuery,
  NewEvent,
  ReceivedEvent,
} from '#contract/bus/bus';
import { readCloudEvent } from '#contract/bus/cloud-event';
import type { Consumption, Delivery, Handler } from '#contract/bus/consumer';
import type { BusDriver } from '#contract/bus/driver';
import { busInvalid, busNotFound, busPayloadTooLarge } from '#contract/bus/faults';
import type { BucketDefinition, KeyValue, KeyValueChange } from '#contract/bus/key-value';
import type { OutgoingMessage, PublishReceipt, StoredMessage } from '#contract/bus/message';
import { checkFilter, checkSubject } from '#contract/bus/subject';
import { ServiceError } from '#contract/errors';
import { type AnyTransaction, transactionWith } from '#contract/house/store';
import { createDeadLetterDesk } from './dead-letter-desk.ts';
import type { EventCheck } from './event-check.ts';
import { eventDocument } from './event-document.ts';
import type { Outbox } from './outbox.ts';
import type { Relay } from './relay.ts';

export interface EventBusParts {
  readonly driver: BusDriver;
  readonly check: EventCheck;
  readonly outbox: Outbox;
  readonly relay: Relay;
  readonly onPublished: () => void;
  /** Whether keys of buckets begin with the tenant. */
  readonly isShared: boolean;
}

/** Events over a driver that carries messages. */
export function createEventBus(parts: EventBusParts): Bus {
  const { driver, check, outbox, relay, onPublished, isShared } = parts;

  async function publish(event: NewEvent): Promise<PublishReceipt> {
    const receipt = await driver.publish(await check.messageOf(event));
    onPublished();
    return receipt;
  }

  async function publishWithin(tx: AnyTransaction, event: NewEvent): Promise<void> {
    if (event.expectedLastSequence !== undefined) {
      throw busInvalid(
        'expectedLastSequence',
        'absent in a transaction',
        String(event.expectedLastSequence),
      );
    }
    const message = await check.messageOf(event);
    checkSize(driver, check.definition(event.name).stream, message);
    await outbox.add(transactionWith(tx), { ...message, id: message.id ?? '' });
    onPublished();
    relay.wake();
  }

  function queryOf({ events, ...query }: Omit<EventQuery, 'limit'>) {
    const filters =
      events?.map((name) => check.filterOf(check.definition(name), query.tenant)) ??
      (isShared ? filtersOfTenant(driver, query) : undefined);
    return { ...query, ...(filters && { filters }) };
  }

  return {
    publish: ((first: AnyTransaction | NewEvent, event?: NewEvent) =>
      event === undefined
        ? publish(first as NewEvent)
        : publishWithin(first as AnyTransaction, event)) as Bus['publish'],
    consume: (consumer, handler) => consume(parts, consumer, handler),
    async read(query) {
      const page = await driver.read({ ...queryOf(query), limit: query.limit });
      return {
        ...page,
        messages: await Promise.all(page.messages.map((each) => received(check, each))),
      };
    },
    async *follow(query, signal) {
      for await (const message of driver.follow(queryOf(query), signal)) {
        yield await received(check, message);
      }
    },
    deadLetters: createDeadLetterDesk(driver),
    states: () => driver.states(),
    bucket: (definition, tenant) => bucketOf(driver, definition, isShared ? tenant : undefined),
    waiting: () => outbox.count(),
    refused: () => outbox.countRefused(),
    document: eventDocument,
    health: () => driver.health(),
    async drain() {
      await relay.idle();
      await driver.drain();
    },
  };
}

/** What one tenant has in a stream: nobody looks through the events of all for those of one. */
function filtersOfTenant(
  { streams }: BusDriver,
  { stream, tenant }: Pick<EventQuery, 'stream' | 'tenant'>,
): readonly string[] | undefined {
  if (tenant === undefined) return undefined;
  const { subjects = [] } = streams.find(({ name }) => name === stream) ?? {};
  const own = subjects.filter((subject) => /^service\..*\.>$/.test(subject));
  return own.length === 0 ? undefined : own.map((each) => each.replace(/>$/, `${tenant}.>`));
}

/** An outbox must hold nothing that its stream would never take. */
function checkSize(driver: BusDriver, stream: string, message: OutgoingMessage): void {
  const { maxMessageBytes } = driver.streams.find(({ name }) => name === stream) ?? {};
  if (maxMessageBytes === undefined) throw busNotFound(`stream ${stream}`);
  const { data, headers = {}, subject } = message;
  const bytes =
    Buffer.byteLength(data) + Buffer.byteLength(JSON.stringify(headers)) + subject.length;
  if (bytes > maxMessageBytes) throw busPayloadTooLarge(stream, bytes, maxMessageBytes);
}

/** What was published by others may be anything: whoever reads it sees what can be seen of it. */
async function received(check: EventCheck, message: StoredMessage): Promise<ReceivedEvent> {
  const { stream, sequence, storedAt } = message;
  const place = { stream, sequence, storedAt };
  try {
    return { ...place, ...(await check.eventOf(message)) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { ...place, event: readableEvent(message) };
  }
}

function readableEvent(message: StoredMessage): ReceivedEvent['event'] {
  try {
    return readCloudEvent(message);
  } catch {
    const { id, subject, tenant, data } = message;
    return { id, source: '', type: subject, tenant, data };
  }
}

async function consume(
  { driver, check }: EventBusParts,
  { events, ...consumer }: EventConsumer,
  handler: Handler<EventDelivery>,
): Promise<Consumption> {
  const definitions = events.map((name) => check.definition(name));
  const [first] = definitions;
  if (first === undefined) throw busInvalid('events', 'at least one event', '[]');
  const other = definitions.find(({ stream }) => stream !== first.stream);
  if (other !== undefined)
    throw busInvalid('events', `events of ${first.stream} alone`, other.type);
  // One filter is all that every server of NATS knows.
  const filter = definitions.length === 1 ? check.filterOf(first) : `${first.prefix}.>`;
  const handle = async (delivery: Delivery): Promise<void> => {
    const { message, ...control } = delivery;
    let given: Awaited<ReturnType<EventCheck['eventOf']>>;
    try {
      given = await check.eventOf(message);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return delivery.term(error.message);
    }
    const { name } = given;
    if (name === undefined || !events.includes(name)) return delivery.ack();
    const { stream, sequence, storedAt } = message;
    await handler({ ...control, ...given, stream, sequence, storedAt });
  };
  return driver.consume({ ...consumer, stream: first.stream, filter }, handle);
}

/** The part of a bucket that is of one tenant: its keys begin with it. */
function bucketOf(driver: BusDriver, definition: BucketDefinition, tenant?: string): KeyValue {
  const bucket = driver.bucket(definition);
  if (tenant === undefined) return bucket;
  const inner = (key: string) => `${tenant}.${checkSubject(key)}`;
  const own = (filter = '>') => `${tenant}.${checkFilter(filter)}`;
  const outer = <Named extends { readonly key: string }>(named: Named): Named => ({
    ...named,
    key: named.key.slice(tenant.length + 1),
  });
  return {
    async get(key) {
      const entry = await bucket.get(inner(key));
      return entry && outer(entry);
    },
    put: (key, value) => bucket.put(inner(key), value),
    create: (key, value) => bucket.create(inner(key), value),
    update: (key, value, revision) => bucket.update(inner(key), value, revision),
    delete: (key, revision) => bucket.delete(inner(key), revision),
    history: async (key) => (await bucket.history(inner(key))).map((change) => outer(change)),
    keys: async (filter) =>
      (await bucket.keys(own(filter))).map((key) => key.slice(tenant.length + 1)),
    async *watch(signal, filter): AsyncIterable<KeyValueChange> {
      for await (const change of bucket.watch(signal, own(filter))) yield outer(change);
    },
  };
}
