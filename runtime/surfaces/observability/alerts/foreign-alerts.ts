import { OutboundError } from '#contract/house/outbound';
import { isObject, valueAt } from '#contract/json';
import type { TelemetryAlerts, TelemetryKind } from '#contract/telemetry/kind';
import { tenantHeaders } from '../query/ask/tenant-headers.ts';
import type { AskedProvider } from '../query/question.ts';
import type { Found } from './active-alert.ts';
import type { RuleParts } from './ask-rule.ts';
import { boundedLabels, mostBytes, mostForeign } from './numbers.ts';

/** What a back end has evaluated itself. */
export interface ForeignAlerts {
  readonly providerId: string;
  readonly shape: TelemetryAlerts['shape'];
  /** Names of the rules that it looks after; an Alertmanager has none. */
  readonly rules: ReadonlySet<string>;
  /** What it says of them, by the name of the alert. */
  readonly alerts: ReadonlyMap<string, readonly Found[]>;
  /** Why nothing is known; absent where something is. */
  readonly reason: string | undefined;
}

const mostMs = 5000;

/** Ask a back end which of its own alerts are active. */
export async function askForeign<Provider extends AskedProvider>(
  { fetch }: Pick<RuleParts<Provider>, 'fetch'>,
  provider: Provider,
  { alerts, tenant }: TelemetryKind,
  signal: AbortSignal,
): Promise<ForeignAlerts | undefined> {
  if (alerts === undefined) return undefined;
  const { shape } = alerts;
  const nothing = { providerId: provider.id, shape, rules: new Set<string>(), alerts: new Map() };
  const failed = (reason: string) => ({ ...nothing, reason });
  try {
    const query = new URLSearchParams(alerts.parameters).toString();
    const { status, body } = await fetch(provider, {
      ...{ path: `${alerts.path}?${query}`, method: 'GET', signal, timeoutMs: mostMs },
      ...{ maxBytes: mostBytes, headers: tenantHeaders(tenant, provider.tenantId) },
    });
    // A metrics store without a ruler has no such page.
    if (status === 404 && shape === 'rules') return undefined;
    if (status !== 200) return failed(`it answers ${status}`);
    const read = parsed(body);
    if (read === undefined) return failed('its answer is no JSON');
    return { ...nothing, ...readers[shape](read), reason: undefined };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OutboundError) return failed('it does not answer');
    throw error;
  }
}

type Read = Pick<ForeignAlerts, 'rules' | 'alerts'>;

const readers: Readonly<Record<TelemetryAlerts['shape'], (answer: unknown) => Read>> = {
  rules: readRules,
  alertmanager: readAlertmanager,
};

/** Prometheus HTTP API, rules. */
function readRules(answer: unknown): Read {
  const groups = valueAt(answer, ['data', 'groups']);
  const rules = listOf(groups)
    .flatMap((group) => listOf(group['rules']))
    .filter(({ name, type = 'alerting' }) => typeof name === 'string' && type === 'alerting');
  const alerts = new Map<string, Found[]>();
  let count = 0;
  for (const rule of rules) {
    const name = String(rule['name']);
    const found = listOf(rule['alerts'])
      .slice(0, mostForeign - count)
      .flatMap(foundIn);
    count += found.length;
    alerts.set(name, [...(alerts.get(name) ?? []), ...found]);
  }
  return { rules: new Set(alerts.keys()), alerts };
}

/** Alertmanager API v2, GET /alerts. */
function readAlertmanager(answer: unknown): Read {
  const alerts = new Map<string, Found[]>();
  for (const each of listOf(answer).slice(0, mostForeign)) {
    const name = valueAt(each, ['labels', 'alertname']);
    if (typeof name !== 'string') continue;
    const found = foundIn({ ...each, state: 'firing', activeAt: each['startsAt'], value: '' });
    alerts.set(name, [...(alerts.get(name) ?? []), ...found]);
  }
  return { rules: new Set(), alerts };
}

function foundIn(alert: Readonly<Record<string, unknown>>): Found[] {
  const { labels, annotations, state, activeAt, value } = alert;
  const since = Date.parse(String(activeAt));
  const isKnown = (state === 'firing' || state === 'pending') && Number.isFinite(since);
  if (!isKnown || !isObject(labels)) return [];
  const { alertname: _, ...own } = labels;
  return [
    {
      labels: boundedLabels(own),
      annotations: boundedLabels(isObject(annotations) ? annotations : {}),
      value: String(value ?? '').slice(0, 40),
      known: { state, activeAt: since },
    },
  ];
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}
