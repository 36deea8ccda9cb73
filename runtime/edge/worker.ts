import type { DropReason, Gate, IngestRequest, ItemKind } from '#contract/telemetry/browser-gate';
import { forwardTo } from './forward.ts';
import { openGate } from './gate.ts';
import { ownServices } from './page-names.ts';
import { Tally } from './tally.ts';

/** Bindings of the worker. */
interface WorkerEnvironment {
  /** The same key as TELEMETRY_JWT_SIGNING_KEY of the server. */
  readonly TELEMETRY_JWT_SIGNING_KEY: string;
  /** The one before, while tokens of it are still about. */
  readonly TELEMETRY_JWT_PREVIOUS_KEY?: string;
  readonly PROJECT_ID: string;
  /** OTEL_SERVICE_NAME of the server, where it has one: no page may call itself that. */
  readonly OTEL_SERVICE_NAME?: string;
  /** Separated by commas. */
  readonly ALLOWED_ORIGINS: string;
  readonly RATE_LIMIT_PER_MINUTE?: string;
  readonly MAX_BODY_BYTES?: string;
  readonly COLLECTOR_INGEST_URL: string;
  readonly COLLECTOR_INGEST_FORMAT?: 'faro' | 'otlp';
  readonly COLLECTOR_AUTHORIZATION?: string;
  /** With it as a bearer token, `GET /metrics` tells what became of requests. */
  readonly METRICS_TOKEN?: string;
  /** The way to the collector, where the platform has one of its own. */
  readonly COLLECTOR?: { fetch(url: string, request: RequestInit): Promise<Response> };
}

interface Execution {
  waitUntil(work: Promise<void>): void;
}

const upstreamMs = 10_000;

/** What became of requests, in this isolate. */
const counts = new Map<'passed' | DropReason, number>();
/** What was in those that were passed on. */
const items = new Map<ItemKind, number>();
const tally = new Tally((kind, by) => items.set(kind, (items.get(kind) ?? 0) + by));
let open: { readonly env: WorkerEnvironment; readonly gate: Gate } | undefined;

function gateFor(env: WorkerEnvironment): Gate {
  if (open?.env === env) return open.gate;
  const post = async (url: string, request: IngestRequest) => {
    // A timer that goes on after the answer would cost more than the rest of it.
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), upstreamMs);
    const { signal } = deadline;
    const asked = { method: 'POST', redirect: 'manual', signal, ...request } as const;
    try {
      const reply = await (env.COLLECTOR ? env.COLLECTOR.fetch(url, asked) : fetch(url, asked));
      await reply.body?.cancel();
      return reply.status;
    } finally {
      clearTimeout(timer);
    }
  };
  const ingest = {
    ...{ url: env.COLLECTOR_INGEST_URL.replace(/\/$/, ''), post },
    format: env.COLLECTOR_INGEST_FORMAT ?? 'faro',
    authorization: env.COLLECTOR_AUTHORIZATION,
  };
  const keys = [env.TELEMETRY_JWT_SIGNING_KEY, env.TELEMETRY_JWT_PREVIOUS_KEY ?? []].flat();
  const gate = openGate(
    {
      keys: keys.map((key) => new TextEncoder().encode(key)),
      project: env.PROJECT_ID,
      ownServices: [...ownServices, env.OTEL_SERVICE_NAME ?? []].flat(),
      origins: env.ALLOWED_ORIGINS.split(',').map((origin) => origin.trim()),
      perMinute: Number(env.RATE_LIMIT_PER_MINUTE ?? 60),
      maxBytes: Number(env.MAX_BODY_BYTES ?? 65_536),
    },
    {
      now: Date.now,
      async forward(collected) {
        await forwardTo(ingest, collected);
        tally.add(collected);
      },
      count(outcome) {
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      },
    },
  );
  open = { env, gate };
  return gate;
}

/** What became of requests, for whoever has the token; nothing for all others (Prometheus, text format). */
async function metrics(request: Request, env: WorkerEnvironment): Promise<Response | undefined> {
  if (env.METRICS_TOKEN === undefined) return undefined;
  if (new URL(request.url).pathname !== '/metrics') return undefined;
  const given = request.headers.get('authorization') ?? '';
  if (!(await isSame(given, `Bearer ${env.METRICS_TOKEN}`))) return undefined;
  const text = [
    written('service_telemetry_browser_requests_total', 'outcome', counts),
    written('service_telemetry_browser_items_total', 'kind', items),
  ].join('');
  const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };
  return new Response(text, { headers });
}

function written(name: string, label: string, values: ReadonlyMap<string, number>): string {
  const lines = Array.from(values, ([key, value]) => `${name}{${label}="${key}"} ${value}\n`);
  return `# TYPE ${name} counter\n${lines.join('')}`;
}

/** Compare digests, so that the time it takes tells nothing of the texts. */
async function isSame(given: string, expected: string): Promise<boolean> {
  const digests = [given, expected].map((text) =>
    crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)),
  );
  const [a = [], b = []] = (await Promise.all(digests)).map((digest) => new Uint8Array(digest));
  let difference = 0;
  for (let place = 0; place < a.length; place += 1) {
    difference |= (a[place] ?? 0) ^ (b[place] ?? 0);
  }
  return difference === 0;
}

/** Workers are asked by this form (developers.cloudflare.com/workers/runtime-apis/handlers/fetch). */
// biome-ignore lint/style/noDefaultExport: the platform asks for it
export default {
  async fetch(request: Request, env: WorkerEnvironment, execution: Execution): Promise<Response> {
    const told = request.method === 'GET' ? await metrics(request, env) : undefined;
    return told ?? gateFor(env)(request, (work) => execution.waitUntil(work));
  },
};
