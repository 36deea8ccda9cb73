import type { Store } from '#contract/house/store';
import type {
  ObservabilityAlertRow,
  ObservabilityTables,
} from '../../../../generated/surfaces/observability/tables.ts';
import type { ActiveAlert } from './active-alert.ts';

type Database = Pick<Store<ObservabilityTables>['db'], 'selectFrom' | 'insertInto' | 'deleteFrom'>;

/** When a rule was looked at last, and what came of that. */
export interface Look {
  readonly rule: string;
  readonly evaluatedAt: number;
  readonly evaluatedBy: string | undefined;
  /** Why nobody knows whether its condition holds; absent where somebody does. */
  readonly reason: string | undefined;
}

/** What is known of the alerts of a tenant. */
export interface KnownAlerts {
  readonly alerts: readonly ActiveAlert[];
  readonly looks: ReadonlyMap<string, Look>;
}

export async function readAlerts(db: Database, tenant: string): Promise<KnownAlerts> {
  const alerts = await db
    .selectFrom('observability_alert')
    .selectAll()
    .where('tenant', '=', tenant)
    .execute();
  const looks = await db
    .selectFrom('observability_alert_rule')
    .selectAll()
    .where('tenant', '=', tenant)
    .execute();
  return {
    alerts: alerts.map(alertOf),
    looks: new Map(
      looks.map(({ rule, evaluated_at, evaluated_by, reason }) => [
        rule,
        {
          rule,
          evaluatedAt: evaluated_at,
          evaluatedBy: evaluated_by ?? undefined,
          reason: reason ?? undefined,
        },
      ]),
    ),
  };
}

/** Keep what is known of some rules, in the place of what was. */
export async function writeRules(
  db: Database,
  tenant: string,
  looks: readonly Look[],
  alerts: readonly ActiveAlert[],
): Promise<void> {
  const rules = looks.map(({ rule }) => rule);
  await forgetAlerts(db, tenant, rules);
  if (alerts.length > 0) {
    await db
      .insertInto('observability_alert')
      .values(alerts.map((alert) => rowOf(tenant, alert)))
      .execute();
  }
  for (const { rule, evaluatedAt, evaluatedBy, reason } of looks) {
    const rest = {
      evaluated_at: evaluatedAt,
      evaluated_by: evaluatedBy ?? null,
      reason: reason ?? null,
    };
    await db
      .insertInto('observability_alert_rule')
      .values({ tenant, rule, ...rest })
      .onConflict((conflict) => conflict.columns(['tenant', 'rule']).doUpdateSet(rest))
      .execute();
  }
}

/** Forget rules that are none any more. */
export async function forgetRules(
  db: Database,
  tenant: string,
  rules: readonly string[],
): Promise<void> {
  if (rules.length === 0) return;
  await forgetAlerts(db, tenant, rules);
  await db
    .deleteFrom('observability_alert_rule')
    .where('tenant', '=', tenant)
    .where('rule', 'in', rules)
    .execute();
}

async function forgetAlerts(db: Database, tenant: string, rules: readonly string[]): Promise<void> {
  if (rules.length === 0) return;
  await db
    .deleteFrom('observability_alert')
    .where('tenant', '=', tenant)
    .where('rule', 'in', rules)
    .execute();
}

function alertOf(row: ObservabilityAlertRow): ActiveAlert {
  const { rule, series, alert, source, state, value } = row;
  return {
    ...{ rule, series, alert, source, state, value },
    labels: JSON.parse(row.labels),
    annotations: JSON.parse(row.annotations),
    activeAt: row.active_at,
    firedAt: row.fired_at ?? undefined,
    seenAt: row.seen_at,
    evaluatedBy: row.evaluated_by,
  };
}

function rowOf(tenant: string, each: ActiveAlert): ObservabilityAlertRow {
  const { rule, series, alert, source, state, value } = each;
  return {
    ...{ tenant, rule, series, alert, source, state, value },
    labels: JSON.stringify(each.labels),
    annotations: JSON.stringify(each.annotations),
    active_at: each.activeAt,
    fired_at: each.firedAt ?? null,
    seen_at: each.seenAt,
    evaluated_by: each.evaluatedBy,
  };
}
