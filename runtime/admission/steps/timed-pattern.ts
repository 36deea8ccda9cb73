import { Script } from 'node:vm';
import { compilePattern } from '#contract/schema/pattern';

/** Milliseconds that the patterns of a schema may take with what one turn of the process checks. */
const mostMatchingMs = 100;
/** What has at most so many ways through a text is done before a clock is set. */
const mostWaysUntimed = 1_000_000;

/** Thrown where a text takes a pattern longer than it may; as what nests too deeply, it cannot be checked. */
export class TooLongToMatch extends RangeError {}

/** What the schema compiler asks of a regular expression; its text tells it from others. */
interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

/** What is matched in the script below, which alone can be ended while an expression runs. */
let match: () => boolean = () => false;
let script: Script | undefined;
let spent = 0;

const place = 'agent-tool-server.match';

/**
 * Compile a pattern whose matching ends: many that vendors write, such as `^.*a.*b.*c$`, take the
 * square, the cube or more of the length of a text, and everything waits for them.
 */
function timedPattern(pattern: string): Pattern {
  const expression = compilePattern(pattern);
  const loops = loopsOf(pattern);
  if (loops === 0) return expression;
  return {
    test: (text) =>
      waysThrough(text.length, loops) <= mostWaysUntimed
        ? expression.test(text)
        : matchInTime(() => expression.test(text)),
    toString: () => expression.toString(),
  };
}

/** The same, as the schema compiler wants its maker of regular expressions. */
export const timedEngine = Object.assign(timedPattern, { code: 'timedPattern' });

/** How many parts repeat without a fixed end, and the search for a place to begin at, which is one more. */
function loopsOf(pattern: string): number {
  const bare = pattern.replace(/\\./gs, '').replace(/\[[^\]]*\]/g, '');
  const repeated = bare.match(/[*+]|\{\d+,\d*\}/g)?.length ?? 0;
  const isAnchored = bare.startsWith('^') && !bare.includes('|');
  return repeated === 0 ? 0 : repeated + (isAnchored ? 0 : 1);
}

/** In how many ways a text can be shared out among so many parts, at most. */
function waysThrough(length: number, parts: number): number {
  let ways = 1;
  for (let part = 1; part <= parts; part++) ways *= (length + part) / part;
  return ways;
}

/** @throws TooLongToMatch */
function matchInTime(test: () => boolean): boolean {
  if (spent === 0) setImmediate(forget);
  const left = Math.floor(mostMatchingMs - spent);
  if (left < 1) throw new TooLongToMatch('the patterns of the schema take too long');
  Reflect.set(globalThis, Symbol.for(place), () => match());
  script ??= new Script(`globalThis[Symbol.for('${place}')]()`);
  match = test;
  const start = performance.now();
  try {
    return script.runInThisContext({ timeout: left }) === true;
  } catch (error) {
    const isLate = error instanceof Error && 'code' in error;
    if (isLate && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new TooLongToMatch('a pattern of the schema takes too long', { cause: error });
    }
    throw error;
  } finally {
    spent += performance.now() - start;
  }
}

/** A turn begins with nothing spent. */
function forget(): void {
  spent = 0;
}
