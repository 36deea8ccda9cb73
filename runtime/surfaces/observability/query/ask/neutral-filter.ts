import type { ClauseText, FilterClause, TelemetryFilter } from '#contract/telemetry/kind';
import { fillIn } from '#contract/telemetry/placeholders';
import { inForm } from './value-forms.ts';

/** What can be asked for of every kind of back end. */
export interface NeutralFilter {
  readonly service?: string | undefined;
  readonly level?: string | undefined;
  readonly text?: string | undefined;
  readonly traceId?: string | undefined;
  readonly attributes?: Readonly<Record<string, string>> | undefined;
  readonly minDurationMs?: number | undefined;
}

/** What of a request depends on what is asked for. */
export interface AskedFor {
  readonly query?: string;
  /** Further values for the placeholders of the request. */
  readonly values: Readonly<Record<string, string>>;
}

/** Why a provider cannot be asked this. */
export interface NotAsked {
  readonly skipped: string;
}

interface Condition {
  readonly clause: FilterClause;
  readonly value: string;
  readonly key?: string;
}

/** Write a neutral filter in the language of a kind, or say why it has no words for it. */
export function compileFilter(
  filter: NeutralFilter,
  rules: TelemetryFilter | undefined,
  traceIsAsked: boolean,
): AskedFor | NotAsked {
  if (rules === undefined) return { skipped: 'it takes queries of its own language alone' };
  const conditions = conditionsOf(filter);
  const named = conditions.map(({ clause }) => clause);
  const missing = traceIsAsked ? undefined : rules.needs?.find((need) => !named.includes(need));
  if (missing !== undefined) return { skipped: `it cannot be asked without ${missing}` };
  const parts: Record<string, string[]> = {};
  const values: Record<string, Record<string, string>> = {};
  for (const condition of conditions) {
    const text = rules.clauses[condition.clause];
    if (text === undefined) return { skipped: `it cannot be asked for ${condition.clause}` };
    const value = condition.clause === 'level' ? levelOf(condition.value, rules) : condition.value;
    if (value === undefined) return { skipped: `it has no level ${condition.value}` };
    addClause({ ...condition, value }, text, { parts, values });
  }
  const query = rules.query === undefined ? undefined : joined(rules.query, rules, parts);
  const written = Object.keys(rules.parts).filter((part) => !rules.query?.includes(`<${part}>`));
  return {
    ...(query !== undefined && { query }),
    values: {
      ...Object.fromEntries(written.map((part) => [part, partText(part, rules, parts)])),
      ...Object.fromEntries(Object.entries(values).map(([name, map]) => [name, valueText(map)])),
    },
  };
}

function conditionsOf(filter: NeutralFilter): Condition[] {
  const { service, level, text, traceId, attributes = {}, minDurationMs } = filter;
  const simple = { service, level, text, traceId };
  return [
    ...Object.entries(simple).flatMap(([clause, value]) =>
      value === undefined ? [] : [{ clause: clause as FilterClause, value }],
    ),
    ...Object.entries(attributes).map(([key, value]) => ({
      clause: 'attribute' as const,
      ...{ key, value },
    })),
    ...(minDurationMs === undefined
      ? []
      : [{ clause: 'minDuration' as const, value: nanoseconds(minDurationMs) }]),
  ];
}

/** Whole nanoseconds, without an exponent. */
function nanoseconds(ms: number): string {
  return BigInt(Math.ceil(ms * 1e6)).toString();
}

function levelOf(level: string, { levels }: TelemetryFilter): string | undefined {
  return levels === undefined ? level : levels[level];
}

function addClause(
  { value, key = '' }: Condition,
  { part, write, parameters = {} }: ClauseText,
  into: { parts: Record<string, string[]>; values: Record<string, Record<string, string>> },
): void {
  const fill = (text: string) =>
    fillIn(text, ({ name, form }) => inForm(name === 'key' ? key : value, form)) ?? '';
  if (part !== undefined && write !== undefined) {
    into.parts[part] ??= [];
    into.parts[part]?.push(fill(write));
  }
  for (const [name, text] of Object.entries(parameters)) {
    const [parameter = '', member = ''] = split(name);
    into.values[parameter] ??= Object.create(null);
    Object.assign(into.values[parameter] ?? {}, { [fill(member)]: fill(text) });
  }
}

/** `tags.<key>` is the member `<key>` of the value `tags`. */
function split(name: string): readonly string[] {
  const dot = name.indexOf('.');
  return dot < 0 ? [name] : [name.slice(0, dot), name.slice(dot + 1)];
}

/** A value by itself, or the JSON object of its members. */
function valueText(map: Readonly<Record<string, string>>): string {
  return map[''] ?? JSON.stringify(map);
}

function joined(
  query: string,
  rules: TelemetryFilter,
  parts: Readonly<Record<string, readonly string[]>>,
): string {
  return fillIn(query, ({ name }) => partText(name, rules, parts)) ?? '';
}

function partText(
  name: string,
  { parts: forms }: TelemetryFilter,
  parts: Readonly<Record<string, readonly string[]>>,
): string {
  const { before = '', between = '', after = '', empty } = forms[name] ?? {};
  const texts = parts[name] ?? (empty === undefined ? [] : [empty]);
  return texts.length === 0 ? '' : before + texts.join(between) + after;
}
