import { comparableText } from '#contract/json';
import type {
  AlertChoice,
  AlertEvent,
} from '../../../../generated/surfaces/observability/types.ts';
import type { ActiveAlert } from './active-alert.ts';
import { type AlertCatalog, type AlertRule, severities, severityOf } from './alert-rule.ts';
import type { KnownAlerts, Look } from './alert-table.ts';
import { unfilled } from './template.ts';

type State = AlertEvent['state'];

const order: readonly State[] = ['firing', 'pending', 'unknown', 'inactive'];

/** Which alerts are wanted. */
export interface AlertWish {
  readonly state: AlertChoice;
  readonly alert?: string | undefined;
  /** Most bytes of the list. */
  readonly maxBytes?: number | undefined;
}

/** Alerts as callers see them, what fires first, and of that what matters most. */
export function shownAlerts(
  catalog: AlertCatalog,
  { alerts, looks }: KnownAlerts,
  { state, alert }: AlertWish,
  urlOf: (path: string) => string,
): readonly AlertEvent[] {
  const rules = new Map(
    catalog.groups.flatMap((group) => group.rules.map((rule) => [rule.id, rule])),
  );
  const linkTo = (name: string) => urlOf(`/observability/alerts?alert=${encodeURIComponent(name)}`);
  const active = alerts
    .filter((each) => !isDouble(each, alerts))
    .map((each) => shownActive(each, rules.get(each.rule), looks.get(each.rule), linkTo));
  const held = new Set(alerts.map(({ rule }) => rule));
  const others = [...rules.values()]
    .filter(({ id }) => !held.has(id))
    .map((rule) => shownRule(rule, looks.get(rule.id), linkTo));
  return [...active, ...others]
    .filter((each) => (alert === undefined || each.alert === alert) && isWanted(each.state, state))
    .sort(byWeight);
}

function isWanted(state: State, wanted: AlertWish['state']): boolean {
  if (wanted === 'all') return true;
  return wanted === 'active' ? state === 'firing' || state === 'pending' : state === wanted;
}

function byWeight(a: AlertEvent, b: AlertEvent): number {
  return (
    order.indexOf(a.state) - order.indexOf(b.state) ||
    severities.indexOf(b.severity) - severities.indexOf(a.severity) ||
    compare(a.alert, b.alert) ||
    compare(a.activeAt ?? '', b.activeAt ?? '') ||
    compare(comparableText(a.labels), comparableText(b.labels))
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The checks of this server know of a back end what a rule finds out later, by way of a metric. */
function isDouble(each: ActiveAlert, all: readonly ActiveAlert[]): boolean {
  if (each.source !== 'rule') return false;
  const { provider_id, signal_type } = each.labels;
  return all.some(
    ({ source, alert, labels }) =>
      source === 'health' &&
      alert === each.alert &&
      labels['provider_id'] === provider_id &&
      labels['signal_type'] === signal_type,
  );
}

function shownActive(
  each: ActiveAlert,
  rule: AlertRule | undefined,
  look: Look | undefined,
  linkTo: (name: string) => string,
): AlertEvent {
  const { alert, state, labels, annotations, value, source, activeAt, firedAt, seenAt } = each;
  return {
    ...{ alert, severity: severityOf(labels), state },
    summary: annotations['summary'] ?? annotations['description'] ?? alert,
    activeAt: iso(activeAt),
    ...(firedAt !== undefined && { firedAt: iso(firedAt) }),
    ...{ labels, value, source },
    ...(rule && ruleFacts(rule)),
    ...withRunbook(annotations),
    ...{ evaluatedBy: each.evaluatedBy, evaluatedAt: iso(seenAt) },
    ...(look?.reason !== undefined && { reason: look.reason }),
    link: linkTo(alert),
  };
}

/** Times of strangers may lie where no date is. */
function iso(ms: number): string {
  const mostMs = 8.64e15;
  return new Date(Math.max(0, Math.min(ms, mostMs))).toISOString();
}

function shownRule(
  rule: AlertRule,
  look: Look | undefined,
  linkTo: (name: string) => string,
): AlertEvent {
  const { alert } = rule;
  const [labels, annotations] = [unfilled(rule.labels), unfilled(rule.annotations)];
  const isKnown = look !== undefined && look.reason === undefined;
  const reason = look === undefined ? 'nobody has looked yet' : look.reason;
  return {
    ...{ alert, severity: severityOf(labels), state: isKnown ? 'inactive' : 'unknown' },
    summary: annotations['summary'] ?? alert,
    ...{ labels, source: 'rule', ...ruleFacts(rule), ...withRunbook(annotations) },
    ...(look?.evaluatedBy !== undefined && { evaluatedBy: look.evaluatedBy }),
    ...(look !== undefined && { evaluatedAt: iso(look.evaluatedAt) }),
    ...(reason !== undefined && { reason }),
    link: linkTo(alert),
  };
}

function ruleFacts({ group, expr, forText }: AlertRule) {
  return { group, expr, for: forText };
}

function withRunbook(annotations: Readonly<Record<string, string>>) {
  const { summary: _, runbook_url, ...rest } = annotations;
  return { annotations: rest, ...(runbook_url !== undefined && { runbook_url }) };
}
