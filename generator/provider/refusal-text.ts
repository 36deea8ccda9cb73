import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { shownText } from '../diagnostics/format-diagnostics.ts';
import type { ApiDocument } from '../read/document/api-document.ts';

const mostReasons = 5;

/** Why nothing of a description can be switched on, the most frequent reasons first. */
export function refusalText(
  { root }: ApiDocument,
  total: number,
  {
    refused,
    missing,
    paths: lost,
  }: {
    readonly refused: readonly Diagnostic[];
    /** Paths that stand in files which are not there. */
    readonly missing: number;
    /** What is wrong with the reference that stands for all paths. */
    readonly paths?: Diagnostic | undefined;
  },
): string {
  if (total === 0 && lost !== undefined) {
    return `all of its paths are said to stand in another file: ${shownText(lost.message)}; fetch that, too, and give the folder of all files with --root`;
  }
  if (total === 0 && missing > 0) {
    const paths = missing === 1 ? 'its one path stands' : `its ${missing} paths stand`;
    return `the description has no operation that a client could call: ${paths} in other files, which cannot be read; fetch all of them into a folder, and give that with --root`;
  }
  if (total === 0) {
    const has =
      root['webhooks'] === undefined ? '' : 'describes webhooks, which the vendor calls, but ';
    return `the description ${has}has no operation that a client could call`;
  }
  const counts = new Map<string, number>();
  for (const { code, message } of refused) {
    const reason = `${code} ${message}`;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const reasons = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, mostReasons);
  return [
    `none of its ${total} operations can be switched on:`,
    ...reasons.map(([reason, count]) => `  ${count} x ${shownText(reason)}`),
    'repair the description, or say what to do in an overlay',
  ].join('\n');
}
