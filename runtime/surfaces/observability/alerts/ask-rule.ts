import { visibleText } from '../query/answers/visible-text.ts';
import type { ProviderAnswer } from '../query/ask-provider.ts';
import { fanOut } from '../query/fan-out.ts';
import type { QueryParts } from '../query/federate.ts';
import type { AskedProvider, Question } from '../query/question.ts';
import { selectProviders } from '../query/select-providers.ts';
import type { Found } from './active-alert.ts';
import type { AlertRule } from './alert-rule.ts';
import { boundedLabels, mostSeries } from './numbers.ts';
import { expandAll } from './template.ts';

/** How the conditions of alerts are asked for. */
export type RuleParts<Provider extends AskedProvider = AskedProvider> = Pick<
  QueryParts<Provider>,
  'providers' | 'loadKind' | 'fetch' | 'now'
>;

/** For which labels a condition holds now, or why nobody knows. */
export interface Asked {
  readonly found: readonly Found[];
  readonly evaluatedBy: string | undefined;
  readonly reason: string | undefined;
}

/** How long the back end may take for one rule. */
const mostMs = 10_000;

/**
 * Ask the back end for metrics whether the condition of a rule holds at this moment; where the primary
 * one cannot answer, the next one.
 */
export async function askRule<Provider extends AskedProvider>(
  parts: RuleParts<Provider>,
  providers: readonly Provider[],
  rule: AlertRule,
  signal: AbortSignal,
): Promise<Asked> {
  const usable = providers.some((each) => each.signal === 'metric' && each.enabled && each.query);
  if (!usable) return unknown('no back end for metrics is enabled');
  const at = BigInt(parts.now()) * 1_000_000n;
  const question: Question = {
    ...{ signal: 'metric', query: rule.expr, language: 'promql' },
    ...{ range: { start: at, end: at }, limit: mostSeries, direction: 'backward', stepSeconds: 60 },
  };
  const selected = selectProviders(providers, 'metric', { mode: 'primary' });
  const answers = await fanOut(question, selected, parts.loadKind, {
    ...{ fetch: parts.fetch, now: parts.now, timeoutMs: mostMs, signal },
  });
  const good = answers.find(({ read }) => read !== undefined);
  if (good === undefined) return unknown(reasonOf(answers));
  return foundIn(good, rule);
}

function foundIn({ provider, read }: ProviderAnswer<AskedProvider>, rule: AlertRule): Asked {
  const { id } = provider;
  if (read?.content.holds !== 'series') return unknown(`${id} gave no series`);
  const { series } = read.content;
  if (series.length > mostSeries) {
    return unknown(`its condition holds for more than ${mostSeries} sets of labels`);
  }
  const found = series.flatMap(({ metric, values }): Found[] => {
    const value = values.at(-1)?.[1];
    if (value === undefined) return [];
    const { __name__: _, ...given } = metric;
    const labels = boundedLabels(given);
    const shown = { labels, value };
    return [
      {
        labels: { ...labels, ...expandAll(rule.labels, shown) },
        annotations: expandAll(rule.annotations, shown),
        value,
      },
    ];
  });
  return { found, evaluatedBy: id, reason: undefined };
}

function unknown(reason: string): Asked {
  return { found: [], evaluatedBy: undefined, reason };
}

function reasonOf(answers: readonly ProviderAnswer<AskedProvider>[]): string {
  const reasons = answers.map(
    ({ provider, failure, skipped }) =>
      `${provider.id}: ${failure?.message ?? skipped ?? 'no answer'}`,
  );
  return visibleText(reasons.join('; ')).slice(0, 500);
}
