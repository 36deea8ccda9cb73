import { compareTimes } from '../query/ask/time-text.ts';
import type { ShownLog } from '../query/write/log-rows.ts';

/** Lines that say the same but for numbers and ids. */
export interface ErrorGroup {
  /** The newest of them. */
  readonly message: string;
  /** Its level; those that are fatal come first. */
  readonly level: string;
  readonly count: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly services: readonly string[];
  readonly traceIds: readonly string[];
  readonly providerIds: readonly string[];
}

const mostTraces = 3;
const longest = 300;

/** Put lines together that say the same, those that are fatal first, and of each those that come most often. */
export function groupErrors(lines: readonly ShownLog[]): ErrorGroup[] {
  const groups = Map.groupBy(lines, ({ body }) => template(body));
  return [...groups.values()]
    .map((own) => {
      const sorted = own.toSorted((a, b) => compareTimes(b.timestamp, a.timestamp));
      const traceIds = sorted.flatMap(({ traceId }) => traceId ?? []);
      return {
        message: (sorted[0]?.body ?? '').slice(0, longest),
        level: own.some(isFatal) ? 'FATAL' : 'ERROR',
        count: own.length,
        firstAt: sorted.at(-1)?.timestamp ?? '',
        lastAt: sorted[0]?.timestamp ?? '',
        services: [...new Set(own.flatMap(({ service }) => service ?? []))],
        traceIds: [...new Set(traceIds)].slice(0, mostTraces),
        providerIds: [...new Set(own.map(({ providerId }) => providerId))],
      };
    })
    .sort((a, b) => Number(b.level === 'FATAL') - Number(a.level === 'FATAL') || b.count - a.count);
}

function isFatal({ severity }: ShownLog): boolean {
  return severity === 'FATAL';
}

function template(body: string): string {
  return body
    .slice(0, 2000)
    .replace(/\b[0-9a-fA-F-]{8,}\b/g, '<id>')
    .replace(/\d+/g, '<n>');
}
