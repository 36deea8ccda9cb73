import type { KeptSpan } from '../keep/kept.ts';
import type { SpanCondition, SpanField } from '../language/traceql.ts';

/** Whether a span meets a condition. */
export function meetsSpan(condition: SpanCondition, span: KeptSpan): boolean {
  switch (condition.type) {
    case 'all':
      return true;
    case 'field':
      return condition.holds(fieldOf(condition.field, span));
    case 'and':
      return meetsSpan(condition.left, span) && meetsSpan(condition.right, span);
    case 'or':
      return meetsSpan(condition.left, span) || meetsSpan(condition.right, span);
  }
}

/** How many conditions there are in one. */
export function sizeOf(condition: SpanCondition): number {
  if (condition.type === 'all' || condition.type === 'field') return 1;
  return 1 + sizeOf(condition.left) + sizeOf(condition.right);
}

function fieldOf({ of, name }: SpanField, span: KeptSpan): string | number | undefined {
  if (of === 'attribute')
    return span.attributes[name] ?? (name === 'service.name' ? span.service : undefined);
  if (of === 'resource') return name === 'service.name' ? span.service : undefined;
  switch (name) {
    case 'name':
      return span.name;
    case 'status':
      return span.isError ? 'error' : 'unset';
    case 'kind':
      return span.kind;
    case 'duration':
      return Number(span.durationNs) / 1e6;
    default:
      return undefined;
  }
}
