import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GateClaims } from '../../../runtime/contract/telemetry/browser-gate.ts';
import { gateMaker } from '../../../runtime/edge/maker.ts';
import {
  edgeWorker,
  startWorker,
  type WorkerSource,
} from '../../surfaces/observability/real/edge-worker.ts';
import type { Load } from '../load.ts';
import { compare } from '../processor-time.ts';
import type { Row } from '../row.ts';
import { startServer } from '../server-process.ts';

const key = 'k'.repeat(32);
const origin = 'https://shop.example';
const least = 0.7;
const what = 'edge worker requests per second, valid / bare workerd proxy, both in workerd';

/** What a proxy that looks at nothing costs. */
const bareProxy: WorkerSource = {
  modules: {
    'proxy.js':
      'export default { fetch: (request, { COLLECTOR }) => COLLECTOR.fetch("http://collector/collect", request) };',
  },
};

const payload = {
  meta: {
    ...{ app: { name: 'shop', version: '1.0.0' }, session: { id: 'session-1' } },
    ...{ page: { url: `${origin}/cart` }, browser: { name: 'Chromium', version: '150' } },
  },
  logs: Array.from({ length: 4 }, (_, index) => ({
    ...{ message: `cart has ${index} items`, level: 'info' },
    timestamp: '2026-11-21T06:00:00.000Z',
  })),
  measurements: [
    { type: 'web-vitals', values: { lcp: 1234.5 }, timestamp: '2026-11-21T06:00:00.000Z' },
  ],
};

/** What the edge costs beside a proxy: it verifies, bounds, reads and checks each request. */
export async function edgeBench(): Promise<Row[]> {
  const target = `at least ${least}`;
  if (process.env['WORKERD'] === undefined) {
    const detail = 'WORKERD does not say where workerd is';
    return [{ what, target, measured: 'not measured', met: undefined, detail }];
  }
  const ends: (() => unknown)[] = [];
  const t = { after: (end: () => unknown) => void ends.unshift(end) };
  try {
    const ingest = await startServer('ingest');
    t.after(ingest.stop);
    const start = async (source: WorkerSource) => {
      const folder = mkdtempSync(join(tmpdir(), 'edge-bench-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const { url, pid } = await startWorker(t, folder, source, new URL(ingest.url).host);
      return { url, server: { processorTime: async () => processorTime(pid) } };
    };
    const bindings = {
      ...{ TELEMETRY_JWT_SIGNING_KEY: key, PROJECT_ID: 'shop', ALLOWED_ORIGINS: origin },
      ...{ COLLECTOR_INGEST_URL: 'http://collector', METRICS_TOKEN: 'looks' },
      RATE_LIMIT_PER_MINUTE: '1000000000',
    };
    const [edge, bare] = [await start(edgeWorker(bindings)), await start(bareProxy)];
    const iat = Math.floor(Date.now() / 1000);
    const claims: GateClaims = {
      ...{ iss: 'bench', aud: 'telemetry', sub: 'session-1', project: 'shop', origin },
      ...{ jti: 'bench', iat, exp: iat + 3600 },
    };
    const token = await gateMaker.sign(claims, Buffer.from(key));
    const load = (url: string): Load => ({
      url: `${url}/collect`,
      headers: { authorization: `Bearer ${token}`, origin },
      body: JSON.stringify(payload),
    });
    const found = await compare(
      { server: edge.server, load: load(edge.url) },
      { server: bare.server, load: load(bare.url) },
    );
    const authorization = 'Bearer looks';
    const metrics = await fetch(`${edge.url}/metrics`, { headers: { authorization } });
    const counted = await metrics.text();
    if (!/outcome="passed"\} \d{3}/.test(counted)) throw new Error(`not passed on: ${counted}`);
    const { processor, ours, theirs, throughput, perSecond } = found;
    return [
      {
        ...{ what, target, measured: (1 / processor).toFixed(2), met: 1 / processor >= least },
        detail: `by processor time: ${ours.toFixed(0)} / ${theirs.toFixed(0)} µs for each request; ${Math.round(perSecond).toLocaleString('en')}/s, ${throughput.toFixed(2)} of the proxy's while load and receiver share the machine; outcomes: ${counted.match(/outcome=.*/g)?.join(', ')}`,
      },
    ];
  } finally {
    for (const end of ends) await end();
  }
}

/** Microseconds that a process has used (proc(5): utime and stime, in hundredths of a second). */
function processorTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}
