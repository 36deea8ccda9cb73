import type { Bus, DeadLetter, ReceivedEvent } from '#contract/bus/bus';
import { deadLetterStream } from '#contract/bus/dead-letter';
import { busConflict, busNotFound } from '#contract/bus/faults';
import type { PublishReceipt } from '#contract/bus/message';
import { ServiceError } from '#contract/errors';
import type { JsonObject } from '#contract/json';
import { defaultTenant } from '#contract/tenant/tenants';
import { eventCatalogue } from '../../../generated/events.ts';
import type { BusTools } from '../../../generated/surfaces/bus/tools.ts';
import type {
  BusDeadLettersArguments,
  BusDeadLettersResult,
} from '../../../generated/surfaces/bus/types.ts';
import type { PlaceNumbers } from './place-numbers.ts';

const defaultLimit = 20;

/** How places of a stream are told to a tenant. */
type NumbersOf = (tenant: string, stream: string) => PlaceNumbers;

/** What the tools of this surface do: each for the tenant of its caller alone. */
export function createBusHandlers(bus: Bus, numbersOf: NumbersOf): BusTools {
  return {
    async busPublish(args, { caller: { tenant, subject: publisher }, trace }) {
      const { event: name, data, subject, id, correlation_id, causation_id } = args;
      const { expected_last_sequence: expected } = args;
      const numbers = numbersOf(tenant, eventCatalogue[name]?.stream ?? '');
      const expectedLastSequence =
        expected === undefined ? undefined : numbers.meant('expected_last_sequence', expected);
      const work = bus.publish({
        ...{ name, tenant, trace, publisher },
        // The schema of the tool takes any object that JSON carried; the bus checks it.
        data: data as JsonObject,
        ...(subject !== undefined && { subject }),
        ...(id !== undefined && { id }),
        ...(correlation_id !== undefined && { correlationId: correlation_id }),
        ...(causation_id !== undefined && { causationId: causation_id }),
        ...(expectedLastSequence !== undefined && { expectedLastSequence }),
      });
      return shownReceipt(await work.catch(numbered(numbers)), numbersOf, tenant);
    },
    async busRead(args, { caller: { tenant } }) {
      const { stream, events, from_sequence: from, from_time, limit = defaultLimit } = args;
      const numbers = numbersOf(tenant, stream);
      const page = await bus.read({
        ...{ stream, tenant, limit },
        ...(events && { events }),
        ...(from !== undefined && { fromSequence: numbers.meant('from_sequence', from) }),
        ...(from_time !== undefined && { fromTime: timeOf(from_time) }),
      });
      // How far the stream has come tells a tenant of the others.
      const last =
        tenant === defaultTenant ? page.lastSequence : (page.messages.at(-1)?.sequence ?? 0);
      return {
        events: page.messages.map((message) => shownEvent(message, numbers)),
        last_sequence: numbers.told(last),
        ...(page.next !== undefined && { next: numbers.told(page.next) }),
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
    busDeadLetters: (args, { caller: { tenant } }) => deadLetters(bus, args, { tenant, numbersOf }),
  };
}

async function deadLetters(
  bus: Bus,
  { operation, letter, from_letter: from, limit = defaultLimit }: BusDeadLettersArguments,
  { tenant, numbersOf }: { readonly tenant: string; readonly numbersOf: NumbersOf },
): Promise<BusDeadLettersResult> {
  const numbers = numbersOf(tenant, deadLetterStream);
  if (operation === 'list') {
    const query = from === undefined ? {} : { fromLetter: numbers.meant('from_letter', from) };
    const { messages, next } = await bus.deadLetters.list({ tenant, limit, ...query });
    return {
      letters: messages.map((each) => shownLetter(each, numbers, numbersOf(tenant, each.stream))),
      ...(next !== undefined && { next: numbers.told(next) }),
    };
  }
  if (letter === undefined) {
    const message = `letter is missing: ${operation} needs the number that list gives`;
    throw new ServiceError('invalid_params', 400, message, { detail: { field: 'letter' } });
  }
  const meant = numbers.meant('letter', letter);
  try {
    if (operation === 'replay') {
      const receipt = await bus.deadLetters.replay(tenant, meant);
      return { replayed: shownReceipt(receipt, numbersOf, tenant) };
    }
    await bus.deadLetters.discard(tenant, meant);
    return { discarded: letter };
  } catch (error) {
    const isGone = error instanceof ServiceError && error.code === 'not_found';
    throw isGone ? busNotFound(`dead letter ${letter}`) : error;
  }
}

function shownReceipt(
  { stream, sequence, duplicate }: PublishReceipt,
  numbersOf: NumbersOf,
  tenant: string,
): PublishReceipt {
  return { stream, sequence: numbersOf(tenant, stream).told(sequence), duplicate };
}

/** Tell a conflict in the numbers of the tenant. */
function numbered({ told }: PlaceNumbers): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ServiceError) || error.code !== 'conflict') throw error;
    const { subject, expected, found } = error.detail;
    if (typeof expected !== 'number' || typeof found !== 'number') throw error;
    throw busConflict(String(subject), told(expected), told(found));
  };
}

/** Milliseconds of a time, whose last minute may have 61 seconds (RFC 3339 section 5.6). */
function timeOf(text: string): number {
  const isLeap = /:60(?=\.|Z|[+-])/i.test(text);
  const ms = Date.parse(isLeap ? text.replace(/:60(?=\.|Z|[+-])/i, ':59') : text);
  return isLeap ? ms + 1000 : ms;
}

function shownEvent({ sequence, storedAt, name, event }: ReceivedEvent, { told }: PlaceNumbers) {
  const { id, type, source, subject, correlationid, causationid, data } = event;
  return {
    ...{ sequence: told(sequence), stored_at: new Date(storedAt).toISOString(), id, type, data },
    ...(name !== undefined && { name }),
    ...(source !== '' && { source }),
    ...(subject !== undefined && { subject }),
    ...(correlationid !== undefined && { correlation_id: correlationid }),
    ...(causationid !== undefined && { causation_id: causationid }),
  };
}

function shownLetter(
  { letter, storedAt, event, text, ...facts }: DeadLetter,
  letters: PlaceNumbers,
  places: PlaceNumbers,
) {
  const { stream, sequence, consumer, deliveries, reason } = facts;
  return {
    ...{ letter: letters.told(letter), stored_at: new Date(storedAt).toISOString() },
    ...{ stream, sequence: places.told(sequence), consumer, deliveries, reason },
    ...(event && { type: event.type }),
    data: event?.data ?? text,
  };
}
