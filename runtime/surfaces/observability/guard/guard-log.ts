import type { Log } from '#contract/house/log';
import type { BackEnds } from '#contract/house/outbound';
import type { GuardRecord } from '#contract/telemetry/guard';

/** Tells a log store of decisions, as well as it can. */
export interface GuardLog {
  push(record: GuardRecord): void;
  /** Forget what waits. */
  close(): void;
}

export interface GuardLogParts {
  readonly url: string;
  readonly backEnds: Pick<BackEnds, 'fetch'>;
  readonly log: Log;
}

/** Records that wait; what is more is dropped: no call waits for this. */
const mostWaiting = 1000;
const mostTogether = 100;
const mostMs = 2000;
const mostBytes = 16_384;

/** Push records in the form of Loki, which VictoriaLogs takes too (Loki HTTP API, push). */
export function createGuardLog({ url, backEnds, log }: GuardLogParts): GuardLog {
  const waiting: GuardRecord[] = [];
  let isSending = false;
  let isClosed = false;

  async function send(): Promise<void> {
    isSending = true;
    while (waiting.length > 0 && !isClosed) {
      const records = waiting.splice(0, mostTogether);
      try {
        const { status } = await backEnds.fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ streams: streamsOf(records) }),
          ...{ maxBytes: mostBytes, timeoutMs: mostMs },
        });
        if (status >= 300) throw new Error(`it answers ${status}`);
      } catch (err) {
        log.debug({ err, records: records.length }, 'decisions could not be pushed');
      }
    }
    isSending = false;
  }

  return {
    push(record) {
      if (isClosed || waiting.length >= mostWaiting) return;
      waiting.push(record);
      if (!isSending) void send();
    },
    close() {
      isClosed = true;
      waiting.length = 0;
    },
  };
}

function streamsOf(records: readonly GuardRecord[]) {
  return records.map(({ verdict, at, attributes }) => {
    const level = verdict === 'deny' ? 'warn' : 'info';
    const line = { ts: new Date(at).toISOString(), level, msg: `guard_${verdict}`, ...attributes };
    const tool = attributes['service.tool_name'] ?? '';
    return {
      stream: { service: 'service-guard', verdict, tool },
      values: [[`${at}000000`, JSON.stringify(line)]],
    };
  });
}
