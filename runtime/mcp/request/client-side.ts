import type { Arrival } from '#contract/arrival';
import { type LogLevel, logLevels } from '#contract/client';
import type { ClientSide } from '../../admission/call.ts';
import type { RequestId } from '../wire/json-rpc.ts';
import type { Decoded } from './revision.ts';

type Notify = NonNullable<ClientSide['notify']>;

/** What the client wants to hear while its request is carried out, where it takes events at all. */
export function clientSide(
  { client, progressToken, logLevel, headers, trace }: Decoded,
  requestId: RequestId,
  notify: Notify | undefined,
  http: Arrival,
): ClientSide {
  if (!notify) return { client, requestId, headers, trace, http };
  return {
    client,
    requestId,
    headers,
    trace,
    http,
    notify,
    progress: progressToken === undefined ? undefined : progressTo(notify, progressToken),
    log: logLevel === undefined ? undefined : messagesFrom(logLevel, notify),
  };
}

/** Says how far the request has come; a value that does not exceed the last one is left out. */
function progressTo(notify: Notify, progressToken: RequestId): NonNullable<ClientSide['progress']> {
  let last = Number.NEGATIVE_INFINITY;
  return (progress, total, message) => {
    if (!(progress > last)) return;
    last = progress;
    notify('notifications/progress', { progressToken, progress, total, message });
  };
}

function messagesFrom(least: LogLevel, notify: Notify): NonNullable<ClientSide['log']> {
  const from = logLevels.indexOf(least);
  return (level, data, logger) => {
    if (logLevels.indexOf(level) < from) return;
    notify('notifications/message', { level, logger, data });
  };
}
