import type { Log } from '#contract/house/log';
import type { Labelled } from '#contract/house/metrics';
import type { Store } from '#contract/house/store';
import { defaultTenant, type Tenants } from '#contract/tenant/tenants';
import type {
  ObservabilityHealthRow,
  ObservabilityTables,
} from '../../../../generated/surfaces/observability/tables.ts';
import type {
  ObservabilityHealth,
  ProviderHealth,
} from '../../../../generated/surfaces/observability/types.ts';
import type { LeaveOut } from '../collector-check/leave-out.ts';
import type { LeftOut } from '../collector-file/left-out.ts';
import type { ProviderClient } from '../endpoints/back-ends.ts';
import { loadKinds } from '../registry/kinds.ts';
import type { ProviderEntry } from '../registry/provider-entry.ts';
import type { ProviderKey } from '../registry/records.ts';
import type { Registry } from '../registry/registry.ts';
import { forgetHealth, readHealth, writeHealth } from './health-table.ts';
import { type Probed, probe } from './probe.ts';

export interface HealthParts {
  readonly registry: Registry;
  readonly client: ProviderClient;
  /** Why the collector is not given one. */
  readonly leaveOut: LeaveOut;
  readonly store: Store<ObservabilityTables>;
  readonly tenants: Tenants;
  readonly log: Log;
  readonly now: () => number;
  /** What needs no check: it is this server. */
  readonly queried: { readonly standIns: (tenant: string) => Promise<readonly ProviderEntry[]> };
}

/** So many failures, one after the other, and a back end counts as down. */
const mostFailures = 3;
/** Every so many checks it is also asked for something that needs its credential. */
const credentialEvery = 10;
/** Back ends that are asked at the same time. */
const together = 8;

/** How the back ends are: what the last check has found, and checks now. */
export interface HealthDesk {
  health(tenant: string): Promise<ObservabilityHealth>;
  /** @throws ServiceError `not_found` */
  check(key: ProviderKey, signal: AbortSignal): Promise<ProviderHealth>;
  /** Check all of all tenants. */
  checkAll(signal: AbortSignal): Promise<void>;
  /** 1 for each back end that is up, else 0. */
  gauge(): Promise<readonly Labelled[]>;
}

export function createHealthDesk(parts: HealthParts): HealthDesk {
  const { registry, client, store, tenants, log, now, queried, leaveOut } = parts;

  async function look(
    tenant: string,
    entry: ProviderEntry,
    former: ObservabilityHealthRow | undefined,
    { asksCredential, signal }: { readonly asksCredential: boolean; readonly signal: AbortSignal },
  ): Promise<ObservabilityHealthRow> {
    const kind = (await loadKinds([entry.kind])).get(entry.kind);
    const found: Probed = kind
      ? await probe(client, entry, kind, { asksCredential, signal })
      : { works: false, latencyMs: 0, details: `there is no kind ${entry.kind} any more` };
    const leftOut = await leaveOut(entry, kind);
    const row = rowAfter(former, found, { tenant, entry, leftOut, at: now() });
    await writeHealth(store, row);
    return row;
  }

  async function checkTenant(tenant: string, signal: AbortSignal): Promise<void> {
    const { providers } = await registry.snapshot(tenant);
    const known = await readHealth(store, tenant);
    const waiting = providers.filter(({ enabled }) => enabled);
    const worker = async () => {
      for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
        const former = known.get(nameOf(entry));
        const asksCredential = (former?.checks ?? 0) % credentialEvery === 0;
        await look(tenant, entry, former, { asksCredential, signal });
      }
    };
    await Promise.all(Array.from({ length: together }, worker));
    const registered = new Set(providers.map(nameOf));
    for (const row of known.values()) {
      if (!registered.has(nameOf(row))) await forgetHealth(store, row);
    }
  }

  return {
    async health(tenant) {
      const [{ providers }, known, own] = await Promise.all([
        registry.snapshot(tenant),
        readHealth(store, tenant),
        queried.standIns(tenant),
      ]);
      const shown = [
        ...providers.map((entry) => shownHealth(entry, known.get(nameOf(entry)))),
        ...own.map(shownOwn),
      ];
      return { checkedAt: new Date(now()).toISOString(), providers: shown };
    },
    async check(key, signal) {
      const entry = await registry.find(key);
      const former = (await readHealth(store, key.tenant)).get(nameOf(entry));
      if (!entry.enabled) return shownHealth(entry, former);
      return shownHealth(
        entry,
        await look(key.tenant, entry, former, { asksCredential: true, signal }),
      );
    },
    async checkAll(signal) {
      for (const { id } of tenants.all) {
        signal.throwIfAborted();
        try {
          await checkTenant(id, signal);
        } catch (err) {
          signal.throwIfAborted();
          log.error({ err, tenant: id }, 'the health of back ends could not be checked');
        }
      }
    },
    async gauge() {
      const each = await Promise.all(
        tenants.all.map(async ({ id: tenant }) => {
          const [{ providers }, known] = await Promise.all([
            registry.snapshot(tenant),
            readHealth(store, tenant),
          ]);
          const label = tenant === defaultTenant ? {} : { tenant };
          return providers.flatMap((entry) => {
            const row = known.get(nameOf(entry));
            if (!entry.enabled || row === undefined) return [];
            const { id: provider_id, signal: signal_type, kind } = entry;
            const value = row.status === 'down' ? 0 : 1;
            return [{ labels: { provider_id, signal_type, kind, ...label }, value }];
          });
        }),
      );
      return each.flat();
    },
  };
}

function nameOf({ signal, id }: Pick<ProviderEntry, 'signal' | 'id'>): string {
  return `${signal}/${id}`;
}

/** Where a back end is, is for those who may configure. */
function toldOf({ field, reason }: LeftOut): string {
  return field === 'tls' ? `its ${reason}` : `its ${field} is refused`;
}

interface Look {
  readonly tenant: string;
  readonly entry: ProviderEntry;
  readonly leftOut: LeftOut | undefined;
  readonly at: number;
}

/** Three failures take a back end down, one success brings it back. */
function rowAfter(
  former: ObservabilityHealthRow | undefined,
  { works, authWorks, latencyMs, details }: Probed,
  { tenant, entry, leftOut, at }: Look,
): ObservabilityHealthRow {
  const failures = works ? 0 : (former?.failures ?? 0) + 1;
  const auth = authWorks ?? (former?.auth_works == null ? undefined : former.auth_works === 1);
  const isWell = works && auth !== false && leftOut === undefined;
  const failed = failures >= mostFailures ? 'down' : 'degraded';
  const told =
    leftOut === undefined
      ? (details ?? (works && auth === false ? former?.details : undefined))
      : `the file of the collector leaves it out: ${toldOf(leftOut)}`;
  return {
    ...{ tenant, signal: entry.signal, id: entry.id, failures },
    status: isWell ? 'healthy' : failed,
    details: told ?? null,
    query_works: works ? 1 : 0,
    auth_works: auth === undefined ? null : Number(auth),
    latency_ms: latencyMs,
    checked_at: at,
    last_ok_at: works ? at : (former?.last_ok_at ?? null),
    checks: (former?.checks ?? 0) + 1,
  };
}

/** Whoever reads this has been answered by it. */
function shownOwn({ signal, id, name, kind, enabled }: ProviderEntry): ProviderHealth {
  const provider = { signalType: signal, providerId: id, name, kind, enabled };
  return { ...provider, health: { status: 'healthy' } };
}

function shownHealth(
  { signal, id, name, kind, enabled }: ProviderEntry,
  row: ObservabilityHealthRow | undefined,
): ProviderHealth {
  const provider = { signalType: signal, providerId: id, name, kind, enabled };
  if (!enabled) {
    return { ...provider, health: { status: 'degraded', details: 'provider disabled' } };
  }
  if (row === undefined) return { ...provider, health: { status: 'unknown' } };
  return {
    ...provider,
    health: {
      status: row.status,
      ...(row.details !== null && { details: row.details }),
      latencyMs: row.latency_ms,
      checkedAt: new Date(row.checked_at).toISOString(),
      ...(row.last_ok_at !== null && { lastOkAt: new Date(row.last_ok_at).toISOString() }),
      consecutiveFailures: row.failures,
      checks: {
        query: row.query_works ? 'ok' : 'failed',
        auth: row.auth_works === null ? 'unknown' : authWords[row.auth_works === 1 ? 1 : 0],
      },
    },
  };
}

const authWords = ['failed', 'ok'] as const;
