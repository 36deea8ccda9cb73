import type { ProviderHealth } from '../../../../generated/surfaces/observability/types.ts';
import type { AskedProvider } from '../query/question.ts';
import type { Found, Watched } from './active-alert.ts';
import type { AlertCatalog, AlertRule } from './alert-rule.ts';
import type { Look } from './alert-table.ts';
import { askRule, type RuleParts } from './ask-rule.ts';
import { askForeign, type ForeignAlerts } from './foreign-alerts.ts';
import { healthAlerts } from './health-alerts.ts';

/** What was seen of one rule. */
export interface Seen {
  readonly look: Look;
  readonly watched: Watched;
  /** Absent where nobody knows: what was known stays. */
  readonly found: readonly Found[] | undefined;
  readonly everyMs: number;
}

/** What is looked at. */
export interface Subjects<Provider extends AskedProvider> {
  readonly catalog: AlertCatalog;
  readonly providers: readonly Provider[];
  readonly health: readonly ProviderHealth[];
  /** When each rule was looked at before. */
  readonly looks: ReadonlyMap<string, Look>;
}

/** How often what costs little is looked at. */
const oftenMs = 30_000;
/** Rules that are asked for at the same time. */
const together = 4;
/** A look may begin this much before its time, as the one before may have come late. */
const slackMs = 5_000;

/** Look at everything that is due: back ends, those that evaluate alerts themselves, and the rules. */
export async function lookAtAlerts<Provider extends AskedProvider>(
  parts: RuleParts<Provider>,
  { catalog, providers, health, looks }: Subjects<Provider>,
  signal: AbortSignal,
): Promise<readonly Seen[]> {
  const now = parts.now();
  const foreign = await foreignAlerts(parts, providers, signal);
  const ruled = new Map(
    foreign.flatMap((each) => Array.from(each.rules, (rule) => [rule, each] as const)),
  );
  const due = catalog.groups.flatMap(({ intervalMs, rules }) =>
    rules.filter(({ id }) => now - (looks.get(id)?.evaluatedAt ?? 0) >= intervalMs - slackMs),
  );
  const everyMs = new Map(
    catalog.groups.flatMap(({ intervalMs, rules }) => rules.map(({ id }) => [id, intervalMs])),
  );
  const seen: Seen[] = [
    ...healthAlerts(health).map(({ watched, found }) => seenOf(watched, found, oftenMs, now)),
    ...foreign.flatMap((each) => foreignSeen(each, catalog, looks, now)),
  ];
  const waiting = due.values();
  const worker = async () => {
    for (const rule of waiting) {
      const every = Math.max(oftenMs, everyMs.get(rule.id) ?? 0);
      seen.push(
        await ruleSeen(parts, providers, rule, {
          ruler: ruled.get(rule.alert),
          every,
          now,
          signal,
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: together }, worker));
  return seen;
}

async function foreignAlerts<Provider extends AskedProvider>(
  parts: RuleParts<Provider>,
  providers: readonly Provider[],
  signal: AbortSignal,
): Promise<readonly ForeignAlerts[]> {
  const usable = providers.filter((each) => each.signal === 'metric' && each.enabled && each.query);
  const asked = await Promise.all(
    usable.map(async (provider) => {
      const kind = await parts.loadKind(provider.kind);
      return kind && askForeign(parts, provider, kind, signal);
    }),
  );
  return asked.filter((each) => each !== undefined);
}

/** A rule of the catalog that a back end looks after itself is not evaluated a second time. */
async function ruleSeen<Provider extends AskedProvider>(
  parts: RuleParts<Provider>,
  providers: readonly Provider[],
  rule: AlertRule,
  about: {
    readonly ruler: ForeignAlerts | undefined;
    readonly every: number;
    readonly now: number;
    readonly signal: AbortSignal;
  },
): Promise<Seen> {
  const { ruler, every, now, signal } = about;
  const { id, alert, forMs, keepMs } = rule;
  const watched = { rule: id, alert, forMs, keepMs, source: 'rule' } as const;
  if (ruler !== undefined) {
    const found = ruler.alerts.get(alert) ?? [];
    return seenOf({ ...watched, evaluatedBy: ruler.providerId }, found, every, now);
  }
  const { found, evaluatedBy, reason } = await askRule(parts, providers, rule, signal);
  const look = { rule: id, evaluatedAt: now, evaluatedBy, reason };
  return {
    ...{ look, everyMs: every, watched: { ...watched, evaluatedBy: evaluatedBy ?? '' } },
    found: reason === undefined ? found : undefined,
  };
}

/** What a back end says of rules that are none of the catalog. */
function foreignSeen(
  { providerId, shape, alerts, reason }: ForeignAlerts,
  catalog: AlertCatalog,
  looks: ReadonlyMap<string, Look>,
  now: number,
): readonly Seen[] {
  const own = new Set(
    shape === 'rules' ? catalog.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)) : [],
  );
  const prefix = `${shape}/${providerId}/`;
  const before = Array.from(looks.keys()).filter((rule) => rule.startsWith(prefix));
  const names = new Set([
    ...[...alerts.keys()].filter((name) => !own.has(name)),
    ...before.map((rule) => rule.slice(prefix.length)),
  ]);
  return Array.from(names, (alert): Seen => {
    const watched: Watched = {
      ...{ rule: `${prefix}${alert}`, alert: alert.slice(0, 200), evaluatedBy: providerId },
      ...{ source: shape === 'rules' ? 'rule' : 'alertmanager', forMs: 0, keepMs: 0 },
    };
    if (reason === undefined) return seenOf(watched, alerts.get(alert) ?? [], oftenMs, now);
    const look = { rule: watched.rule, evaluatedAt: now, evaluatedBy: undefined, reason };
    return { look, watched, found: undefined, everyMs: oftenMs };
  });
}

function seenOf(watched: Watched, found: readonly Found[], everyMs: number, now: number): Seen {
  const { rule, evaluatedBy } = watched;
  return {
    ...{ watched, found, everyMs },
    look: { rule, evaluatedAt: now, evaluatedBy, reason: undefined },
  };
}
