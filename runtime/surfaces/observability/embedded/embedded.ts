import type { Log } from '#contract/house/log';
import type { StrangerAnswer } from '#contract/house/outbound';
import type { OwnSpan, OwnTelemetry } from '#contract/telemetry/own-telemetry';
import { defaultTenant } from '#contract/tenant/tenants';
import { ownId, type ProviderEntry, type Signal } from '../registry/provider-entry.ts';
import { answerEmbedded } from './answer/answer.ts';
import { Keep } from './keep/keep.ts';
import type { KeptLine, KeptSpan } from './keep/kept.ts';
import { lineOfLog } from './keep/line-of-log.ts';
import { ownService } from './keep/series-keep.ts';
import { limits } from './numbers.ts';

export interface EmbeddedParts {
  readonly own: OwnTelemetry;
  /** Folder for its files. */
  readonly folder: string;
  /** How long telemetry is kept. */
  readonly hours: number;
  readonly tenants: readonly string[];
  readonly now: () => number;
  readonly log: Log;
}

/** Kind of the back end within this process. */
export const embeddedKind = 'embedded';

/** The signals that this server keeps itself. */
const keptSignals = ['log', 'metric', 'trace'] as const satisfies readonly Signal[];

/** What this server keeps of its own telemetry, asked as a back end is. */
export interface Embedded {
  /** The entries that stand in for what nobody has registered. */
  standIns(tenant: string, registered: readonly ProviderEntry[]): readonly ProviderEntry[];
  /** Whether an entry is one of those. */
  isStandIn(entry: ProviderEntry): boolean;
  /** Answer what a back end of its kind is asked. */
  fetch(
    entry: ProviderEntry,
    request: { readonly path: string; readonly body?: string; readonly signal: AbortSignal },
  ): Promise<StrangerAnswer>;
  /** Keep lines that do not come from the log of this process, such as those of browsers. */
  addLine(tenant: string, line: KeptLine): void;
  addSpan(tenant: string, span: KeptSpan): void;
  /** Look at the metrics now. */
  scrape(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Keep what the server says of itself, from its start on. */
export function createEmbedded({ own, folder, hours, tenants, now, log }: EmbeddedParts): Embedded {
  const keep = new Keep({
    ...{ folder, hours, tenants, now },
    onFailure: (err) =>
      log.warn({ err }, 'own telemetry cannot be written, and ends with the process'),
  });
  const createdAt = now();
  let timer: NodeJS.Timeout | undefined;
  let hasWarned = false;
  let unfollow = () => {};

  /** Whose telemetry an entry is about: what somebody has registered is none of them. */
  const owners = new WeakMap<ProviderEntry, string>();
  const byTenant = new Map<string, readonly ProviderEntry[]>();
  const entriesOf = (tenant: string) => {
    const known = byTenant.get(tenant);
    if (known !== undefined || !tenants.includes(tenant)) return known ?? [];
    const made = keptSignals
      .filter((signal) => signal !== 'metric' || tenant === defaultTenant)
      .map((signal) => standIn(tenant, signal, createdAt));
    for (const entry of made) owners.set(entry, tenant);
    byTenant.set(tenant, made);
    return made;
  };

  const scrape = async () => {
    try {
      keep.addSamples(now(), await own.samples());
      const { left } = keep.metrics;
      if (left > 0 && !hasWarned) {
        hasWarned = true;
        log.warn({ left, kept: keep.metrics.size }, 'own metrics have more series than are kept');
      }
    } catch (err) {
      log.warn({ err }, 'own metrics could not be read');
    }
  };

  return {
    standIns(tenant, registered) {
      const isThere = ({ signal }: ProviderEntry) =>
        registered.some((each) => each.signal === signal && each.enabled && each.query);
      return entriesOf(tenant).filter((entry) => !isThere(entry));
    },
    isStandIn: (entry) => owners.has(entry),
    async fetch(entry, request) {
      const tenant = owners.get(entry);
      if (tenant === undefined) throw new Error('no entry of the registry is this server');
      const isOwner = tenant === defaultTenant;
      const { status, body } = await answerEmbedded({ keep, tenant, isOwner }, request);
      const headers = { 'content-type': 'application/json' };
      return { status, headers, body: Buffer.from(JSON.stringify(body)) };
    },
    addLine: (tenant, line) => keep.addLine(tenant, line),
    addSpan: (tenant, span) => keep.addSpan(tenant, span),
    scrape,
    async start() {
      await keep.restore();
      unfollow = own.follow({
        log(text) {
          const line = lineOfLog(text);
          // What this process logs may be about any tenant, so it is for its operator alone.
          if (line !== undefined) keep.addLine(defaultTenant, line);
        },
        span(span) {
          keep.addSpan(span.tenant ?? defaultTenant, spanOf(span));
        },
      });
      timer = setInterval(scrape, limits.scrapeMs).unref();
      await scrape();
    },
    async stop() {
      unfollow();
      clearInterval(timer);
      await keep.flush();
    },
  };
}

function spanOf({ startMs, durationMs, errorType, tenant: _, ...span }: OwnSpan): KeptSpan {
  const attributes =
    errorType === undefined ? span.attributes : { ...span.attributes, 'error.type': errorType };
  return {
    ...{
      ...span,
      attributes,
      service: ownService,
      source: 'server',
      isError: errorType !== undefined,
    },
    start: BigInt(Math.round(startMs * 1000)) * 1000n,
    durationNs: BigInt(Math.round(durationMs * 1e6)),
  };
}

function standIn(tenant: string, signal: Signal, createdAt: number): ProviderEntry {
  return {
    tenant,
    ...{ id: ownId, name: 'This server', signal, kind: embeddedKind, endpoint: '' },
    ...{ auth: { type: 'none' }, tls: {}, primary: false, order: 0, enabled: true },
    ...{ ingest: false, query: true, delivery: 'collector', spanFilter: 'none', labels: {} },
    ...{ version: 0, etag: '"this-server"', createdAt, createdBy: 'server' },
    ...{ updatedAt: createdAt, updatedBy: 'server' },
  };
}
