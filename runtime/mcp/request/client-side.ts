import type { Arrival } from '#contract/arrival';
import { type LogLevel, logLevels } from '#contract/client';
import type { OpenSpan } from '#contract/telemetry/span';
import type { ClientSide, Notifier } from '../../admission/call.ts';
import type { RequestId } from '../wire/json-rpc.ts';
import type { Decoded } from './revision.ts';

/** What a request came with. */
export interface CarriedBy {
  readonly arrival: Arrival;
  /** Where it is traced here. */
  readonly span: OpenSpan | undefined;
}

/** What the client wants to hear while its request is carried out, where it takes events at all. */
export function clientSide(
  { client, progressToken, logLevel, headers, trace }: Decoded,
  requestId: RequestId,
  notifier: Notifier | undefined,
  { arrival: http, span }: CarriedBy,
): ClientSide {
  const within = span === undefined ? trace : span.context;
  if (!notifier) return { client, requestId, headers, trace: within, span, http };
  return {
    client,
    requestId,
    headers,
    trace: within,
    span,
    http,
    notifier,
    progress: progressToken === undefined ? undefined : progressTo(notifier, progressToken),
    log: logLevel === undefined ? undefined : messagesFrom(logLevel, notifier),
  };
}

/** Says how far the request has come; a value that does not exceed the last one is left out. */
function progressTo(
  notifier: Notifier,
  progressToken: RequestId,
): NonNullable<ClientSide['progress']> {
  let last = Number.NEGATIVE_INFINITY;
  return (progress, total, message) => {
    if (!(progress > last)) return;
    last = progress;
    notifier.notify('notifications/progress', { progressToken, progress, total, message });
  };
}

function messagesFrom(least: LogLevel, notifier: Notifier): NonNullable<ClientSide['log']> {
  const from = logLevels.indexOf(least);
  return (level, data, logger) => {
    if (logLevels.indexOf(level) < from) return;
    notifier.notify('notifications/message', { level, logger, data });
  };
}
