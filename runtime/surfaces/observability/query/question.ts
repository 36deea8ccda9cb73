import type { QueryLanguage, Signal } from '#contract/telemetry/kind';
import type { ProviderEntry } from '../registry/provider-entry.ts';
import type { NeutralFilter } from './ask/neutral-filter.ts';
import type { TimeRange } from './ask/time-range.ts';

/** What all chosen providers are asked. */
export interface Question {
  readonly signal: Signal;
  readonly range: TimeRange;
  /** Rows, series or traces. */
  readonly limit: number;
  readonly direction: 'backward' | 'forward';
  readonly stepSeconds?: number;
  readonly query?: string;
  /** The language of `query`; without it, that of the first provider that is asked. */
  readonly language?: QueryLanguage;
  /** Queries by the id or kind of a provider, before `query`. */
  readonly queries?: Readonly<Record<string, string>>;
  readonly filter?: NeutralFilter;
  /** The trace that is asked for; nothing else counts then. */
  readonly traceId?: string;
}

/** What of a provider's entry in the registry a query needs. */
export type AskedProvider = Pick<
  ProviderEntry,
  'id' | 'signal' | 'kind' | 'tenantId' | 'primary' | 'order' | 'enabled' | 'query'
>;
