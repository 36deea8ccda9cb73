import { createHash } from 'node:crypto';
import type { CallContext } from '#contract/caller';
import { comparableText } from '#contract/json';
import type { Signal } from '#contract/telemetry/kind';
import { parseRange, type WrittenRange } from '../ask/time-range.ts';
import { rfc3339 } from '../ask/time-text.ts';
import { requireAnswers, together } from '../fan-out.ts';
import { plainLabels, type QueryParts, shownProvider, warningsOf } from '../federate.ts';
import { limits } from '../numbers.ts';
import type { AskedProvider } from '../question.ts';
import { type Selection, selectProviders } from '../select-providers.ts';
import { tracedFetch } from '../traced-fetch.ts';
import { askFields, type FieldAnswer } from './ask-fields.ts';

/** What somebody wants to know of the fields of a signal. */
export interface FieldInput {
  /** Without it, the names of all fields. */
  readonly field?: string | undefined;
  readonly service?: string | undefined;
  /** Only what has this in it, whatever its case. */
  readonly contains?: string | undefined;
  readonly limit?: number | undefined;
  readonly timeRange?: WrittenRange | undefined;
  readonly selection?: Selection | undefined;
  readonly timeoutMs?: number | undefined;
}

/**
 * Say which fields there are, or which values one of them has, and which back ends say so. Who gets
 * values that a line or a span may hold is written down before they get them.
 *
 * @throws ServiceError
 */
export async function discover<Provider extends AskedProvider>(
  parts: QueryParts<Provider>,
  signal: Signal,
  input: FieldInput,
  context: CallContext,
) {
  const { field, service, contains, limit = limits.defaultFields, selection } = input;
  const most = signal === 'metric' ? limits.metricRangeMs : limits.rangeMs;
  const range = parseRange(input.timeRange, parts.now(), most);
  const all = await parts.providers(context.caller.tenant);
  const { providers, isFallback } = selectProviders(all, signal, selection ?? { mode: 'all' });
  const timeoutMs = Math.min(input.timeoutMs ?? limits.deadlineMs, limits.mostDeadlineMs);
  const end = parts.now() + timeoutMs;
  const fetch = tracedFetch(parts.fetch, context);
  const ask = async (provider: Provider) =>
    askFields({ signal, field, service, range }, provider, await parts.loadKind(provider.kind), {
      ...{ fetch, now: parts.now, signal: context.signal },
      timeoutMs: Math.max(1, end - parts.now()),
    });
  const answers = isFallback ? await untilOne(providers, ask) : await together(providers, ask);
  requireAnswers(answers, 'allow');
  const span = { from: rfc3339(range.start), to: rfc3339(range.end) };
  if (field !== undefined && !isPlain(field)) {
    const asked = { field, service, contains };
    const querySha256 = createHash('sha256').update(comparableText(asked)).digest('hex');
    const given = answers.filter(({ rows }) => rows > 0);
    await Promise.all(
      given.map(({ provider: { id: providerId }, rows, bytes }) =>
        parts.rawAccess({ ...span, signal, querySha256, providerId, rows, bytes }, context),
      ),
    );
  }
  const found = merged(answers, contains);
  const values = found.slice(0, Math.min(limit, limits.rows));
  return {
    ...{ signalType: signal, field: field ?? null, range: span, values },
    truncated: values.length < found.length,
    complete: answers.flatMap(({ status, provider }) => (status === 'ok' ? [provider.id] : [])),
    providers: answers.map(shownProvider),
    warnings: answers.flatMap(warningsOf),
    correlationId: context.callId,
  };
}

/** What says no more than where telemetry comes from, and what it is called. */
function isPlain(field: string): boolean {
  return plainLabels.has(field) || field === 'name' || field === '__name__' || field === 'type';
}

/** One after the other, until one can say it. */
async function untilOne<Provider>(
  providers: readonly Provider[],
  ask: (provider: Provider) => Promise<FieldAnswer<Provider>>,
): Promise<readonly FieldAnswer<Provider>[]> {
  const answers: FieldAnswer<Provider>[] = [];
  for (const provider of providers) {
    const answer = await ask(provider);
    answers.push(answer);
    if (answer.status === 'ok') break;
  }
  return answers;
}

/** Each text once, with all back ends that have it. */
function merged(answers: readonly FieldAnswer[], contains = '') {
  const wanted = contains.toLowerCase();
  const owners = new Map<string, string[]>();
  for (const { provider, texts } of answers) {
    for (const text of texts) {
      if (!text.toLowerCase().includes(wanted)) continue;
      const known = owners.get(text);
      if (known === undefined) owners.set(text, [provider.id]);
      else known.push(provider.id);
    }
  }
  return [...owners]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, providerIds]) => ({ value, providerIds }));
}
