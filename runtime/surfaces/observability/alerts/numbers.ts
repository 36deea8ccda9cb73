import { visibleText } from '../query/answers/visible-text.ts';

/** Sets of labels for which one rule may hold; more are a condition that nobody can act on. */
export const mostSeries = 200;
/** Alerts of one back end that evaluates its own. */
export const mostForeign = 500;
/** Alerts of an answer. */
export const mostShown = 500;
/** Bytes of what a back end says of its alerts. */
export const mostBytes = 4 * 1024 * 1024;

const mostLabels = 40;
const longestLabel = 500;

/** Labels that strangers wrote, within bounds. */
export function boundedLabels(
  labels: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(labels)
      .slice(0, mostLabels)
      .map(([name, value]) => [
        visibleText(name).slice(0, longestLabel),
        visibleText(String(value)).slice(0, longestLabel),
      ]),
  );
}
