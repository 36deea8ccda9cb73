import { JetStreamApiError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import {
  busBackpressure,
  busConflict,
  busPayloadTooLarge,
  busUnavailable,
} from '#contract/bus/faults';
import { ServiceError } from '#contract/errors';

/** Codes of JetStream's API (nats-server, errors.json). */
export const codes = {
  consumerNotFound: 10014,
  noMessageFound: 10037,
  sequenceNotFound: 10043,
  messageTooLarge: 10054,
  deleteFailed: 10057,
  streamNotFound: 10059,
  subjectsOverlap: 10065,
  wrongLastMessageId: 10070,
  wrongLastSequence: 10071,
  storeFailed: 10077,
} as const;

/** Whether JetStream answered with one of these codes. */
export function isApiError(error: unknown, ...wanted: readonly number[]): boolean {
  const found = error instanceof Error && error.cause instanceof JetStreamApiError;
  const api = found ? error.cause : error;
  return api instanceof JetStreamApiError && wanted.includes(api.code);
}

/** Whether there is no message of a number that was asked for. */
export function isNoMessage(error: unknown): boolean {
  return (
    isApiError(error, codes.noMessageFound, codes.sequenceNotFound) ||
    // The class of what is answered without an API error is not exported.
    (error instanceof Error &&
      error.name === 'JetStreamStatusError' &&
      'code' in error &&
      error.code === 404)
  );
}

/** Whether a message is larger than its stream, or the server, takes. */
function isTooLarge(error: unknown): boolean {
  if (isApiError(error, codes.messageTooLarge)) return true;
  // The client knows the limit of the server, and says nothing else of what goes beyond it.
  return error instanceof errors.InvalidArgumentError && /max_payload/.test(error.message);
}

/** What is told of a message that was refused. */
interface RefusedMessage {
  readonly stream: string;
  readonly subject: string;
  readonly expected: number;
  /** Its bytes, and what the stream takes, or the server where that is less; where both are known. */
  readonly size?: { readonly bytes: number; readonly most: number };
}

/** What a refused message means, in our words. */
export function refusal(error: unknown, facts: RefusedMessage): unknown {
  const { size } = facts;
  if (size && isTooLarge(error)) return busPayloadTooLarge(facts.stream, size.bytes, size.most);
  if (isApiError(error, codes.wrongLastSequence)) {
    const [found] = /\d+$/.exec((error as Error).message) ?? [];
    return busConflict(facts.subject, facts.expected, Number(found ?? 0));
  }
  if (isApiError(error, codes.storeFailed)) {
    return busBackpressure(facts.stream, (error as Error).message);
  }
  return unavailable(error);
}

/** The fault of a server that did not do what was asked. */
export function unavailable(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  return busUnavailable(error instanceof Error ? error.message : String(error), error);
}
