import { createHash } from 'node:crypto';
import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import { comparableText } from '#contract/json';
import type { Signal } from '#contract/telemetry/kind';
import { type Investigation, investigate } from '../investigate/investigate.ts';
import type { WrittenRange } from './ask/time-range.ts';
import { CallerTurns } from './caller-turns.ts';
import { discover, type FieldInput } from './discover/discover.ts';
import { explain } from './explain.ts';
import { type ExportPlace, exportRows, rangeOf } from './export-rows.ts';
import { requireAnswers } from './fan-out.ts';
import {
  gather,
  type QueryParts,
  type RawAccess,
  shownProvider,
  warningsOf,
  writeAnswer,
} from './federate.ts';
import { demoSpans, flameGraph } from './flame-graph.ts';
import { limits } from './numbers.ts';
import type { AskedProvider } from './question.ts';
import { type Format, type QueryInput, readInput, traceIdOf } from './read-input.ts';
import type { Selection } from './select-providers.ts';

/** The trace of which a flame graph is wanted. */
export interface FlameInput {
  readonly traceId: string;
  readonly mostSelfLimit?: number | undefined;
  readonly timeRange?: WrittenRange | undefined;
  readonly selection?: Selection | undefined;
}

const defaultMostSelf = 12;
const mostFlameNodes = 500;

/** What export needs besides. */
export interface QueryRules extends ExportPlace {
  /** Writes down that telemetry was taken out in bulk, before it is. */
  readonly exportRequested: (
    access: Omit<RawAccess, 'providerId'>,
    context: CallContext,
  ) => Promise<void>;
}

/** Everything that can be asked of the back ends of telemetry. */
export function createQueries<Provider extends AskedProvider>(
  parts: QueryParts<Provider>,
  { folder, exportRequested }: QueryRules,
) {
  const turns = new CallerTurns();
  return {
    query(signal: Signal, input: QueryInput, format: Format, context: CallContext) {
      const query = readInput(signal, input, parts.now(), format);
      return turns.take(context.caller, async () =>
        writeAnswer(query, await gather(parts, query, context), context),
      );
    },

    explain(signal: Signal, input: QueryInput, context: CallContext) {
      const query = readInput(signal, input, parts.now(), 'json');
      return turns.take(context.caller, async () => ({
        ...{ signalType: signal, range: rangeOf(query) },
        providers: await explain(parts, query, context),
      }));
    },

    export(signal: Signal, input: QueryInput, context: CallContext) {
      requireSignal(signal, context, 'to export');
      const query = readInput(signal, input, parts.now(), 'json');
      return turns.take(context.caller, async () => {
        const range = rangeOf(query);
        const querySha256 = createHash('sha256').update(comparableText(input)).digest('hex');
        await exportRequested({ signal, querySha256, ...range, rows: 0, bytes: 0 }, context);
        const exported = await exportRows(parts, query, { folder }, context);
        return { signalType: signal, range, ...exported, correlationId: context.callId };
      });
    },

    fields(signal: Signal, input: FieldInput, context: CallContext) {
      requireSignal(signal, context, 'to ask for fields of');
      return turns.take(context.caller, () => discover(parts, signal, input, context));
    },

    investigate(input: Investigation, context: CallContext) {
      const { scopes } = context.caller;
      const mayAsk = (signal: Signal) => scopes === 'all' || scopes.has(scopeOf[signal]);
      return turns.take(context.caller, () => investigate(parts, input, context, mayAsk));
    },

    async flameGraph(input: FlameInput, context: CallContext) {
      const { mostSelfLimit = defaultMostSelf, timeRange, selection = { mode: 'all' } } = input;
      if (input.traceId === 'demo') {
        return {
          ...flameGraph(demoSpans, mostSelfLimit, mostFlameNodes),
          providers: [],
          warnings: [],
        };
      }
      const traceId = traceIdOf(input.traceId);
      const asked = { filter: { traceId }, selection, ...(timeRange && { timeRange }) };
      const read = readInput('trace', asked, parts.now(), 'json');
      const query = { ...read, mostSpans: limits.flameSpans };
      const { answers, page } = await turns.take(context.caller, () =>
        gather(parts, query, context),
      );
      const spans = page.holds === 'spans' ? page.rows : [];
      if (spans.length === 0) {
        requireAnswers(
          answers.filter(({ status }) => status !== 'skipped'),
          'forbid',
        );
        throw new ServiceError('not_found', 404, `no back end has a span of the trace ${traceId}`);
      }
      const warnings = answers.flatMap(warningsOf);
      const isCut = page.hasMore || answers.some(({ status }) => status === 'partial');
      const missing = isCut
        ? [
            'not all spans of the trace are there: a span whose children are missing seems to have taken their time itself',
          ]
        : [];
      return {
        ...flameGraph(spans, isCut ? 0 : mostSelfLimit, mostFlameNodes),
        ...(isCut && { truncated: true }),
        providers: answers.map(shownProvider),
        warnings: [...warnings, ...missing],
      };
    },
  };
}

export type Queries = ReturnType<typeof createQueries>;

const scopeOf: Readonly<Record<Signal, string>> = {
  log: 'observability:query_logs',
  metric: 'observability:query_metrics',
  trace: 'observability:query_traces',
  profile: 'observability:query_profiles',
};

/** Who may take telemetry out in bulk, or look around, may do so with that which they may see. */
function requireSignal(signal: Signal, { caller: { scopes } }: CallContext, what: string): void {
  const scope = scopeOf[signal];
  if (scopes === 'all' || scopes.has(scope)) return;
  const message = `${what} the signal ${signal} needs ${scope}`;
  throw new ServiceError('insufficient_scope', 403, message, { detail: { scope } });
}
