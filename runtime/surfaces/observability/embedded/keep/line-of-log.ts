import { isObject } from '#contract/json';
import { limits } from '../numbers.ts';
import type { KeptLine } from './kept.ts';
import { ownService } from './series-keep.ts';

/** The levels of pino by their numbers. */
const levels: readonly (readonly [number, string])[] = [
  [60, 'fatal'],
  [50, 'error'],
  [40, 'warn'],
  [30, 'info'],
  [20, 'debug'],
  [10, 'trace'],
];

/** Read a line that this process has written to its log; nothing where it is none. */
export function lineOfLog(text: string): KeptLine | undefined {
  let entry: unknown;
  try {
    entry = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(entry)) return undefined;
  const { level, time, msg, traceId, spanId, ...facts } = entry;
  const ms = typeof time === 'string' ? Date.parse(time) : Number(time);
  if (Number.isNaN(ms)) return undefined;
  const number = typeof level === 'number' ? level : 30;
  return {
    time: BigInt(ms) * 1_000_000n,
    level: levels.find(([least]) => number >= least)?.[1] ?? 'trace',
    ...{ service: ownService, source: 'server' as const },
    body: typeof msg === 'string' ? msg.slice(0, limits.bodyCharacters) : '',
    ...(typeof traceId === 'string' && /^[0-9a-f]{32}$/.test(traceId) && { traceId }),
    ...(typeof spanId === 'string' && /^[0-9a-f]{16}$/.test(spanId) && { spanId }),
    attributes: flat(facts),
  };
}

/** All that an object holds, as texts under the names of their paths. */
export function flat(value: Readonly<Record<string, unknown>>): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  let count = 0;
  const walk = (object: Readonly<Record<string, unknown>>, prefix: string, depth: number) => {
    for (const [name, member] of Object.entries(object)) {
      if (count >= limits.attributes) return;
      const path = `${prefix}${name}`.slice(0, 128);
      if (isObject(member) && depth < 4) walk(member, `${path}.`, depth + 1);
      else if (member !== null && member !== undefined) {
        const text = typeof member === 'string' ? member : JSON.stringify(member);
        found[path] = text.slice(0, limits.attributeCharacters);
        count += 1;
      }
    }
  };
  walk(value, '', 0);
  return found;
}
