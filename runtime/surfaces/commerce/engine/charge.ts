import { isObject } from '#contract/json';
import type { Metered, Price } from '#contract/operation';
import { decodedSteps } from '#contract/schema/pointer-steps';
import { decimalOf, exact } from '../budgets/decimal.ts';

/** What is charged for one use. */
export interface Charge {
  /** In the smallest unit of the token. */
  readonly atomic: string;
  /** A decimal number of the currency of prices. */
  readonly decimal: string;
}

/** What the work has come to, and no more than its payer has signed; nothing where the price is fixed. */
export function chargeFor(
  { amount, metered }: Pick<Price, 'amount' | 'metered'>,
  result: unknown,
  mostAtomic: string,
): Charge | undefined {
  if (metered === undefined) return undefined;
  const most = exact(amount);
  const used = exact(metered.amount) * BigInt(countOf(metered, result));
  if (used >= most) return { atomic: mostAtomic, decimal: amount };
  // The share of what was signed, in whole units of the token, to the payer's advantage.
  return { atomic: String((BigInt(mostAtomic) * used) / most), decimal: decimalOf(used) };
}

/** How much of what is counted is in an answer. */
function countOf({ each }: Metered, result: unknown): number {
  const answer = answerOf(result);
  if (each === 'kilobyte') return Math.ceil(sizeOf(answer) / 1024);
  const found = decodedSteps(each).reduce<unknown>(
    (value, name) => (isObject(value) ? value[name] : undefined),
    answer,
  );
  return Array.isArray(found) ? found.length : 0;
}

/** What a client reads of the result of a route or a tool. */
function answerOf(result: unknown): unknown {
  if (!isObject(result)) return result;
  return result['body'] ?? result['structuredContent'] ?? result['content'] ?? result;
}

function sizeOf(answer: unknown): number {
  if (answer instanceof Uint8Array) return answer.byteLength;
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return Buffer.byteLength(text ?? '');
}
