import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** Send spans as OTLP/HTTP JSON; gives their ids where the receiver has acknowledged them. */
export async function sendSpans(
  otlp: string,
  count: number,
  attributes: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => randomBytes(8).toString('hex'));
  const now = BigInt(Date.now()) * 1_000_000n;
  const said = Object.entries(attributes).map(([key, stringValue]) => ({
    key,
    value: { stringValue },
  }));
  const spans = ids.map((spanId) => ({
    ...{ traceId: randomBytes(16).toString('hex'), spanId, name: 'work', kind: 1 },
    startTimeUnixNano: String(now),
    endTimeUnixNano: String(now + 1_000_000n),
    attributes: said,
  }));
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'sender' } }] };
  const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] });
  const headers = { 'content-type': 'application/json' };
  try {
    const reply = await fetch(`${otlp}/v1/traces`, { method: 'POST', headers, body });
    await reply.arrayBuffer();
    return reply.status === 200 ? ids : [];
  } catch {
    // A port that is closed for a moment has acknowledged nothing.
    return [];
  }
}

/** Send some spans again and again until `stop`; gives the ids of all that were acknowledged. */
export function sendWhile(otlp: string, perSecond: number) {
  const each = 20;
  const acknowledged: string[] = [];
  const running: Promise<void>[] = [];
  let goesOn = true;
  let stopped = 0;
  const loop = (async () => {
    while (goesOn) {
      running.push(
        sendSpans(otlp, each).then((ids) => {
          acknowledged.push(...ids);
          if (ids.length === 0) stopped += 1;
        }),
      );
      await sleep((1000 * each) / perSecond);
    }
  })();
  return {
    acknowledged,
    async stop() {
      goesOn = false;
      await loop;
      await Promise.all(running);
      return { acknowledged, refused: stopped };
    },
  };
}
