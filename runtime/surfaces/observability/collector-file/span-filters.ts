import { createHash } from 'node:crypto';
import type { ProviderEntry } from '../registry/provider-entry.ts';
import { literal } from './literal.ts';

/** Spans of models, of tools and of this server; all others are dropped. */
const agents =
  'attributes["gen_ai.operation.name"] == nil and attributes["mcp.method.name"] == nil and attributes["service.correlation_id"] == nil';

/** The condition of the filter processor with which a span is dropped. */
export function dropCondition(filter: string): string {
  return filter === 'gen_ai_or_service' ? agents : literal(filter);
}

/** How pipelines and processors are called that a filter has for itself; nothing for `none`. */
export function filterNames(entries: readonly ProviderEntry[]): ReadonlyMap<string, string> {
  const filters = new Set(
    entries.flatMap(({ signal, spanFilter }) => (signal === 'trace' ? [spanFilter] : [])),
  );
  filters.delete('none');
  return new Map([...filters].map((filter) => [filter, nameOf(filter)]));
}

function nameOf(filter: string): string {
  if (filter === 'gen_ai_or_service') return 'llm';
  return `filtered_${createHash('sha256').update(filter).digest('hex').slice(0, 8)}`;
}
