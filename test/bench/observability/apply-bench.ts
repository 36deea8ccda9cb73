import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveObservability } from '../../surfaces/observability/observing-server.ts';
import {
  collectorPlace,
  runCollector,
  startSink,
} from '../../surfaces/observability/real/collector.ts';
import { sendWhile } from '../../surfaces/observability/real/spans.ts';
import type { Row } from '../row.ts';

type Json = Record<string, unknown>;

const perSecond = 2000;
const rollbackMs = 5000;
const what = 'apply with reload under 2,000 spans/s through the real collector';
const target = 'no acknowledged span lost; rollback of a bad file within 5 s';

/** A new file while spans come in, and one that the collector cannot run. */
export async function applyBench(): Promise<Row[]> {
  if (!existsSync(process.env['OTEL_COLLECTOR'] ?? '')) {
    const detail = 'OTEL_COLLECTOR does not say where the collector is';
    return [{ what, target, measured: 'not measured', met: undefined, detail }];
  }
  const ends: (() => unknown)[] = [];
  const t = { after: (end: () => unknown) => void ends.unshift(end) };
  try {
    const [first, second] = [await startSink(t), await startSink(t)];
    const place = await collectorPlace(t);
    const server = await serveObservability(t, place.env);
    const sink = (id: string, endpoint: string) => ({
      ...{ id, signalType: 'trace', kind: 'otlp', endpoint },
    });
    await server.register(sink('first', first.url));
    const { body } = await server.post('/observability/collector/generate', {});
    writeFileSync(place.config, String((body['generated'] as Json)['text']));
    await runCollector(t, place);
    const sending = sendWhile(place.otlp, perSecond);
    const begun = performance.now();
    const more = async () => {
      const enough = sending.acknowledged.length + perSecond;
      while (sending.acknowledged.length < enough) await sleep(20);
    };
    await more();
    await server.register(sink('second', second.url));
    const { result: applied, ms: appliedMs } = await timed(() =>
      server.post('/observability/collector/apply', {}),
    );
    if (applied.status !== 200) throw new Error(JSON.stringify(applied.body));
    await more();
    const { acknowledged } = await sending.stop();
    const rate = acknowledged.length / ((performance.now() - begun) / 1000);
    const lost = await missing(acknowledged, first.spans);

    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    t.after(() => taken.close());
    const { port } = taken.address() as { port: number };
    const other = await serveObservability(t, {
      ...{ ...place.env, SERVICE_COLLECTOR_GRPC_ENDPOINT: `127.0.0.1:${port}` },
    });
    await other.register(sink('first', first.url));
    const { result: refused, ms: refusedMs } = await timed(() =>
      other.post('/observability/collector/apply', { allowRemoval: true }),
    );
    if (refused.body['state'] !== 'rolled_back') throw new Error(JSON.stringify(refused.body));
    return [
      {
        ...{ what, target },
        measured: `${lost} of ${acknowledged.length.toLocaleString('en')} lost; ${(refusedMs / 1000).toFixed(1)} s`,
        met: lost === 0 && refusedMs <= rollbackMs,
        detail: `${Math.round(rate).toLocaleString('en')} spans/s acknowledged; the good file was checked by the collector, loaded and healthy after ${(appliedMs / 1000).toFixed(1)} s; of the bad one a port is taken`,
      },
    ];
  } finally {
    for (const end of ends) await end();
  }
}

/** How many have not come once none has come for five seconds. */
async function missing(ids: readonly string[], came: () => ReadonlySet<string | undefined>) {
  let left = ids.length;
  for (let quiet = 0; left > 0 && quiet < 50; quiet += 1) {
    const there = came();
    const now = ids.filter((id) => !there.has(id)).length;
    if (now < left) quiet = 0;
    left = now;
    if (left > 0) await sleep(100);
  }
  return left;
}

async function timed<Result>(work: () => Promise<Result>) {
  const begun = performance.now();
  const result = await work();
  return { result, ms: performance.now() - begun };
}
