import type { AnyTransaction } from '../house/store.ts';
import type { JsonObject, JsonSchema } from '../json.ts';
import type { Bus, EventConsumer, EventDelivery, EventFacts, NewEvent } from './bus.ts';
import type { CloudEvent } from './cloud-event.ts';
import type { Consumption, Handler } from './consumer.ts';
import type { PublishReceipt } from './message.ts';

/** What the AsyncAPI document says of an event. */
export interface EventDefinition {
  /** Its CloudEvents type: `service.workflow.checkpoint.v1`. */
  readonly type: string;
  /** What its subjects begin with: `service.workflow`. */
  readonly prefix: string;
  /** What they end with: `checkpoint`, `hitl.enqueued`. */
  readonly event: string;
  readonly stream: string;
  readonly description: string;
  /** Schema of its data, and its name in the document. */
  readonly data: JsonSchema;
  readonly schema: string;
  /** The server alone publishes it, and no agent over the tools; absent where agents may too. */
  readonly publishedBy?: 'server';
}

/** Every event that may be published, by its name: `workflow.checkpoint`. */
export type EventCatalogue = Readonly<Record<string, EventDefinition>>;

/** Publishes one kind of event. */
export interface EventPublish<Data extends object> {
  /** Resolves once the event is on the disk. */
  (facts: EventFacts<Data>): Promise<PublishReceipt>;
  /** Publish it if, and as soon as, the transaction is committed. */
  within(tx: AnyTransaction, facts: EventFacts<Data>): Promise<void>;
}

/** What publishes to the bus. */
export type EventDoor = Pick<Bus, 'publish'>;

/** Give what makes, of the name of an event, the function that publishes it. */
export function typedPublishers(bus: EventDoor) {
  return <Data extends object>(name: string): EventPublish<Data> => {
    const eventOf = (facts: EventFacts<Data>): NewEvent => ({
      ...facts,
      name,
      // Generated from a schema that allows nothing but JSON, and checked against it by the bus.
      data: facts.data as unknown as JsonObject,
    });
    const publish = (facts: EventFacts<Data>) => bus.publish(eventOf(facts));
    const within = (tx: AnyTransaction, facts: EventFacts<Data>) => bus.publish(tx, eventOf(facts));
    return Object.assign(publish, { within });
  };
}

/** A delivery of one of the events in `Data`, told apart by `name`. */
export type TypedDelivery<Data, Name extends keyof Data> = {
  [Each in Name]: Omit<EventDelivery, 'name' | 'event'> & {
    readonly name: Each;
    readonly event: Omit<CloudEvent, 'data'> & { readonly data: Data[Each] };
  };
}[Name];

/** A consumer of events of these names. */
export interface TypedConsumer<Name> extends Omit<EventConsumer, 'events'> {
  readonly events: readonly (Name & string)[];
}

/** Give what begins to handle events, of which `Data` has the types by their names. */
export function typedConsumers<Data>(bus: Pick<Bus, 'consume'>) {
  return <Name extends keyof Data>(
    consumer: TypedConsumer<Name>,
    handler: Handler<TypedDelivery<Data, Name>>,
  ): Promise<Consumption> =>
    bus.consume(consumer, (delivery) =>
      // The bus delivers the events that the consumer names, checked against their schemas.
      handler(delivery as unknown as TypedDelivery<Data, Name>),
    );
}
