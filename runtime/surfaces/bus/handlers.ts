import type { Bus, DeadLetter, ReceivedEvent } from '#contract/bus/bus';
import { ServiceError } from '#contract/errors';
import type { JsonObject } from '#contract/json';
import { defaultTenant } from '#contract/tenant/tenants';
import type { BusTools } from '../../../generated/surfaces/bus/tools.ts';
import type {
  BusDeadLettersArguments,
  BusDeadLettersResult,
} from '../../../generated/surfaces/bus/types.ts';

const defaultLimit = 20;

/** What the tools of this surface do: each for the tenant of its caller alone. */
export function createBusHandlers(bus: Bus): BusTools {
  return {
    async busPublish(args, { caller: { tenant }, trace }) {
      const { event: name, data, subject, id, correlation_id, causation_id } = args;
      const { expected_last_sequence: expectedLastSequence } = args;
      return bus.publish({
        ...{ name, tenant, trace },
        // The schema of the tool takes any object that JSON carried; the bus checks it.
        data: data as JsonObject,
        ...(subject !== undefined && { subject }),
        ...(id !== undefined && { id }),
        ...(correlation_id !== undefined && { correlationId: correlation_id }),
        ...(causation_id !== undefined && { causationId: causation_id }),
        ...(expectedLastSequence !== undefined && { expectedLastSequence }),
      });
    },
    async busRead(args, { caller: { tenant } }) {
      const { stream, events, from_sequence, from_time, limit = defaultLimit } = args;
      const page = await bus.read({
        ...{ stream, tenant, limit },
        ...(events && { events }),
        ...(from_sequence !== undefined && { fromSequence: from_sequence }),
        ...(from_time !== undefined && { fromTime: Date.parse(from_time) }),
      });
      return {
        events: page.messages.map(shownEvent),
        last_sequence: page.lastSequence,
        ...(page.next !== undefined && { next: page.next }),
      };
    },
    async busStreams(_, { caller: { tenant } }) {
      // They count what all tenants do, which none of them has to know.
      if (tenant !== defaultTenant) {
        const message = 'streams are counted at the address of the server itself';
        throw new ServiceError('forbidden', 403, message);
      }
      const { state, reason } = bus.health();
      const streams = (await bus.states()).map((stream) => ({
        ...{ name: stream.name, messages: stream.messages, bytes: stream.bytes },
        first_sequence: stream.firstSequence,
        last_sequence: stream.lastSequence,
        consumers: stream.consumers.map(({ name, delivered, pending, waiting }) => ({
          ...{ name, delivered, pending, waiting },
        })),
      }));
      return { state, streams, ...(reason !== undefined && { reason }) };
    },
    busDeadLetters: (args, { caller: { tenant } }) => deadLetters(bus, args, tenant),
  };
}

async function deadLetters(
  bus: Bus,
  { operation, letter, from_letter, limit = defaultLimit }: BusDeadLettersArguments,
  tenant: string,
): Promise<BusDeadLettersResult> {
  if (operation === 'list') {
    const from = from_letter === undefined ? {} : { fromLetter: from_letter };
    const { messages, next } = await bus.deadLetters.list({ tenant, limit, ...from });
    return { letters: messages.map(shownLetter), ...(next !== undefined && { next }) };
  }
  if (letter === undefined) {
    const message = `letter is missing: ${operation} needs the number that list gives`;
    throw new ServiceError('invalid_params', 400, message, { detail: { field: 'letter' } });
  }
  if (operation === 'replay') return { replayed: await bus.deadLetters.replay(tenant, letter) };
  await bus.deadLetters.discard(tenant, letter);
  return { discarded: letter };
}

function shownEvent({ sequence, storedAt, name, event }: ReceivedEvent) {
  const { id, type, source, subject, correlationid, causationid, data } = event;
  return {
    ...{ sequence, stored_at: new Date(storedAt).toISOString(), id, type, data },
    ...(name !== undefined && { name }),
    ...(source !== '' && { source }),
    ...(subject !== undefined && { subject }),
    ...(correlationid !== undefined && { correlation_id: correlationid }),
    ...(causationid !== undefined && { causation_id: causationid }),
  };
}

function shownLetter({ letter, storedAt, event, text, ...facts }: DeadLetter) {
  const { stream, sequence, consumer, deliveries, reason } = facts;
  return {
    ...{ letter, stored_at: new Date(storedAt).toISOString() },
    ...{ stream, sequence, consumer, deliveries, reason },
    ...(event && { type: event.type }),
    data: event?.data ?? text,
  };
}
