import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { LoadConnection, type Outcome } from './load-connection.ts';

/** What many clients together send, however fast it is answered. */
export interface OfferedLoad {
  readonly url: URL;
  /** One HTTP request, as it goes over the wire. */
  readonly request: Buffer;
  readonly perSecond: number;
  readonly seconds: number;
  readonly mostConnections: number;
  /** Whether each request comes on a connection of its own. */
  readonly isAlone?: boolean;
}

export interface OfferedResult {
  readonly sent: number;
  /** Requests that were due when every connection was waiting for an answer. */
  readonly unsent: number;
  /** Answers by their status, connections that ended without one by their code. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Of the answers with status 200, in milliseconds. */
  readonly accepted: Latency;
  /** Of the answers with status 503. */
  readonly refused: Latency;
  readonly seconds: number;
}

export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

const tickMs = 4;
/** Answers that have not come by then are counted as lost. */
const patienceMs = 60_000;

/** Send a load and wait for its answers. */
export async function offer(load: OfferedLoad): Promise<OfferedResult> {
  const { url, request, perSecond, seconds, mostConnections, isAlone = false } = load;
  const outcomes: Record<string, number> = {};
  const times = { accepted: createHistogram(), refused: createHistogram() };
  const idle: LoadConnection[] = [];
  let open = 0;
  let sent = 0;
  let unsent = 0;
  let waiting = 0;
  let goesOn = true;
  const settle = (connection: LoadConnection, startedAt: number, outcome: Outcome) => {
    waiting -= 1;
    const key = outcome.kind === 'answered' ? String(outcome.status) : outcome.code;
    outcomes[key] = (outcomes[key] ?? 0) + 1;
    const time = Math.max(1, Math.round((performance.now() - startedAt) * 1000));
    if (key === '200') times.accepted.record(time);
    if (key === '503') times.refused.record(time);
    if (isAlone || connection.isOver || !goesOn) {
      open -= 1;
      connection.destroy();
    } else idle.push(connection);
  };
  const send = () => {
    let connection = idle.pop();
    while (connection?.isOver) {
      open -= 1;
      connection = idle.pop();
    }
    if (!connection) {
      if (open >= mostConnections) {
        unsent += 1;
        return;
      }
      open += 1;
      connection = new LoadConnection(url, request);
    }
    const taken = connection;
    const startedAt = performance.now();
    sent += 1;
    waiting += 1;
    taken.send((outcome) => settle(taken, startedAt, outcome));
  };
  const began = performance.now();
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = Math.min(performance.now() - began, seconds * 1000);
      const due = Math.floor((elapsed / 1000) * perSecond) - sent - unsent;
      for (let count = 0; count < due; count += 1) send();
      if (elapsed < seconds * 1000) return;
      clearInterval(timer);
      resolve();
    }, tickMs);
  });
  const took = (performance.now() - began) / 1000;
  goesOn = false;
  for (const connection of idle) connection.destroy();
  const until = performance.now() + patienceMs;
  while (waiting > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  if (waiting > 0) outcomes['lost'] = waiting;
  return {
    ...{ sent, unsent, outcomes, seconds: took },
    accepted: latencyOf(times.accepted),
    refused: latencyOf(times.refused),
  };
}

function latencyOf(times: RecordableHistogram): Latency {
  const at = (percent: number) =>
    times.count === 0 ? Number.NaN : times.percentile(percent) / 1000;
  return { p50: at(50), p99: at(99), max: times.count === 0 ? Number.NaN : times.max / 1000 };
}

/** One request as it goes over the wire. */
export function wireRequest(
  url: URL,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Buffer {
  const head = [
    `POST ${url.pathname} HTTP/1.1`,
    `Host: ${url.host}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}
