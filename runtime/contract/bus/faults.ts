import { ServiceError } from '../errors.ts';

/** How long whoever could not publish waits before it tries again. */
const retryAfterMs = 1000;

/** The bus cannot be reached now. */
export function busUnavailable(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('bus_unavailable', 503, `the event bus does not work now: ${reason}`, {
    detail: { reason },
    retryAfterMs,
    cause,
  });
}

/** The stream takes nothing more for now. */
export function busBackpressure(stream: string, reason: string): ServiceError {
  return new ServiceError(
    'bus_backpressure',
    503,
    `the stream ${stream} takes no more: ${reason}`,
    {
      detail: { stream, reason },
      retryAfterMs,
    },
  );
}

/** A message that no stream would take; what is large belongs elsewhere, and the event names it. */
export function busPayloadTooLarge(stream: string, bytes: number, most: number): ServiceError {
  const message = `a message of ${stream} may have ${most} bytes, and this one has ${bytes}`;
  return new ServiceError('bus_payload_too_large', 413, message, {
    detail: { stream, bytes, most },
  });
}

/** Something else is there than whoever writes has seen. */
export function busConflict(subject: string, expected: number, found: number): ServiceError {
  const message = `${subject} is at ${found}, and ${expected} was expected: read it again`;
  return new ServiceError('conflict', 409, message, { detail: { subject, expected, found } });
}

/** A name, a subject or a number that is none. */
export function busInvalid(field: string, expected: string, received: string): ServiceError {
  const shown = JSON.stringify(received.slice(0, longestShown));
  return new ServiceError('invalid_params', 400, `${field} must be ${expected}, not ${shown}`, {
    detail: { field, expected },
  });
}

/** Whether the bus will say the same each time: trying again is of no use. */
export function isRefusal(error: unknown): error is ServiceError {
  return error instanceof ServiceError && refusals.has(error.code);
}

const refusals: ReadonlySet<string> = new Set([
  'bus_payload_too_large',
  'invalid_params',
  'not_found',
]);

/** A wrong value is shown cut. */
const longestShown = 80;

/** There is no stream or message of this name. */
export function busNotFound(what: string): ServiceError {
  return new ServiceError('not_found', 404, `there is no ${what}`);
}
