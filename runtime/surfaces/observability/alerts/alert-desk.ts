import type { JobRun } from '#contract/house/jobs';
import type { Log } from '#contract/house/log';
import type { Store } from '#contract/house/store';
import type { Tenants } from '#contract/tenant/tenants';
import type { ObservabilityTables } from '../../../../generated/surfaces/observability/tables.ts';
import type { AlertList } from '../../../../generated/surfaces/observability/types.ts';
import type { HealthDesk } from '../health/health-desk.ts';
import { limits } from '../query/numbers.ts';
import type { ProviderEntry } from '../registry/provider-entry.ts';
import { type Advanced, advance } from './active-alert.ts';
import { forgetRules, readAlerts, writeRules } from './alert-table.ts';
import type { AnnounceAlerts } from './announce.ts';
import type { RuleParts } from './ask-rule.ts';
import type { ReadCatalog } from './catalog.ts';
import { fitAlerts } from './fit-alerts.ts';
import { lookAtAlerts, type Seen } from './look.ts';
import { type AlertWish, shownAlerts } from './shown.ts';

export interface AlertParts {
  readonly readCatalog: ReadCatalog;
  readonly rules: RuleParts<ProviderEntry>;
  readonly health: Pick<HealthDesk, 'health'>;
  readonly store: Store<ObservabilityTables>;
  readonly tenants: Tenants;
  readonly log: Log;
  /** Absent where the event bus is off. */
  readonly announce: AnnounceAlerts | undefined;
}

/** The alerts of all tenants. */
export interface AlertDesk {
  list(tenant: string, wish: AlertWish): Promise<AlertList>;
  /** Look at all alerts of all tenants that are due. */
  lookAtAll(run: Pick<JobRun, 'signal' | 'fence'>): Promise<void>;
}

/** The state of alerts is kept in the store: a restart, or another replica, goes on with it. */
export function createAlertDesk(parts: AlertParts): AlertDesk {
  const { readCatalog, rules, health, store, tenants, log, announce } = parts;

  async function lookAt(tenant: string, { signal, fence }: Pick<JobRun, 'signal' | 'fence'>) {
    const [catalog, providers, { providers: states }, { looks }] = await Promise.all([
      readCatalog(),
      rules.providers(tenant),
      health.health(tenant),
      readAlerts(store.db, tenant),
    ]);
    // Where there is nobody to ask, and never was, nothing is written either.
    if (providers.length === 0 && looks.size === 0) return;
    const subjects = { catalog, providers, health: states, looks };
    const seen = await lookAtAlerts(rules, subjects, signal);
    await store.transaction(async (tx) => {
      await fence(tx);
      const before = await readAlerts(tx, tenant);
      const steps = seen.map((each) => stepOf(each, before));
      await writeRules(
        tx,
        tenant,
        seen.map(({ look }) => look),
        steps.flatMap(({ active }) => active),
      );
      const gone = goneRules(
        before.looks.keys(),
        seen,
        catalog.groups.flatMap((group) => group.rules),
      );
      await forgetRules(tx, tenant, gone);
      const ended = before.alerts.filter(
        ({ rule, state }) => gone.includes(rule) && state === 'firing',
      );
      await announce?.(tx, tenant, {
        fired: steps.flatMap(({ fired }) => fired),
        resolved: [...steps.flatMap(({ resolved }) => resolved), ...ended],
      });
    });
  }

  return {
    async list(tenant, wish) {
      const [catalog, known] = await Promise.all([readCatalog(), readAlerts(store.db, tenant)]);
      const address = tenants.find(tenant)?.address;
      const events = shownAlerts(catalog, known, wish, (path) => address?.of(path) ?? path);
      const fitted = fitAlerts(events, wish.maxBytes ?? limits.inlineBytes);
      const { path, sha256, groups } = catalog;
      const count = groups.reduce((sum, group) => sum + group.rules.length, 0);
      return {
        checkedAt: new Date(rules.now()).toISOString(),
        events: fitted.events,
        catalog: { path, sha256, rules: count },
        truncated: fitted.truncated,
      };
    },
    async lookAtAll(run) {
      for (const { id } of tenants.all) {
        run.signal.throwIfAborted();
        try {
          await lookAt(id, run);
        } catch (err) {
          run.signal.throwIfAborted();
          log.error({ err, tenant: id }, 'alerts could not be looked at');
        }
      }
    },
  };
}

type Before = Awaited<ReturnType<typeof readAlerts>>;

function stepOf({ watched, found, look, everyMs }: Seen, { alerts, looks }: Before): Advanced {
  const former = alerts.filter(({ rule }) => rule === watched.rule);
  if (found === undefined) return { active: former, fired: [], resolved: [] };
  const formerly = looks.get(watched.rule)?.evaluatedAt;
  return advance(watched, former, found, { now: look.evaluatedAt, formerly, everyMs });
}

/** Rules that stand in no catalog any more, and those of back ends that nobody asks any more. */
function goneRules(
  known: Iterable<string>,
  seen: readonly Seen[],
  catalog: readonly { readonly id: string }[],
): readonly string[] {
  const wanted = new Set([...seen.map(({ look }) => look.rule), ...catalog.map(({ id }) => id)]);
  return [...known].filter((rule) => !wanted.has(rule));
}
