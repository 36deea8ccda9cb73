import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import { rfc3339 } from './ask/time-text.ts';
import { type Gathered, gather, passedWarning, type QueryParts, stuckWarning } from './federate.ts';
import { limits } from './numbers.ts';
import type { End, Page } from './page.ts';
import { pageFrom } from './page-from.ts';
import type { AskedProvider } from './question.ts';
import type { ReadQuery } from './read-input.ts';
import type { Position } from './write/cursor.ts';
import { shownLog } from './write/log-rows.ts';
import { otlpSpans, shownTrace } from './write/trace-rows.ts';

/** What was written. */
export interface Exported {
  /** Its name in the folder for exports. */
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  /** Whether it holds all rows of all providers that were to be asked. */
  readonly complete: boolean;
  /** Providers that gave something. */
  readonly providers: readonly string[];
  readonly warnings: readonly string[];
}

/** Where exports are written: a folder for each tenant in it. */
export interface ExportPlace {
  readonly folder: string | undefined;
}

/**
 * Write all rows of a query to a file of its own, page by page. A file that cannot be written to its
 * end is taken away again.
 *
 * @throws ServiceError
 */
export async function exportRows<Provider extends AskedProvider>(
  parts: QueryParts<Provider>,
  query: ReadQuery,
  { folder }: ExportPlace,
  context: CallContext,
): Promise<Exported> {
  if (folder === undefined) {
    const message =
      'nothing can be exported: the operator has named no folder for it (SERVICE_OBSERVABILITY_EXPORT_DIR)';
    throw new ServiceError('invalid_request', 400, message);
  }
  const { tenant } = context.caller;
  const file = join(tenant, `${query.question.signal}-${randomUUID()}.jsonl`);
  const path = join(folder, file);
  await mkdir(join(folder, tenant), { recursive: true, mode: 0o700 });
  const handle = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  const seen: Seen = {
    ...{ rows: 0, bytes: 0, lost: false },
    providers: new Set(),
    warnings: new Set(),
  };
  try {
    let position: Position | undefined;
    let isEnd = false;
    while (!isEnd && seen.rows < limits.exportRows && seen.bytes < limits.exportBytes) {
      const gathered = await gather(
        parts,
        pageFrom(query, position, limits.exportPageRows),
        context,
      );
      const text = linesOf(gathered.page);
      hash.update(text);
      await handle.write(text);
      note(seen, gathered, text);
      const { page } = gathered;
      const end: End | undefined = page.hasMore ? page.endAt?.(page.rows.length) : undefined;
      if (end?.passes !== undefined) {
        seen.lost = true;
        seen.warnings.add(passedWarning(end.passes));
      }
      if (page.isStuck) {
        seen.lost = true;
        seen.warnings.add(stuckWarning);
      }
      position = end;
      isEnd = !page.hasMore;
      if (position === undefined) break;
    }
    await handle.sync();
    const warnings = [
      ...seen.warnings,
      ...(isEnd ? [] : ['it does not hold all rows: ask for a shorter time']),
      ...(seen.lost ? ['not every provider gave all that it was asked for'] : []),
    ];
    const { rows, bytes, providers, lost } = seen;
    const complete = isEnd && !lost;
    return {
      file,
      rows,
      bytes,
      sha256: hash.digest('hex'),
      complete,
      providers: [...providers],
      warnings,
    };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

function linesOf(page: Page): string {
  const rows = rowsOf(page).map((row) => `${JSON.stringify(row)}\n`);
  return rows.join('');
}

function rowsOf(page: Page): readonly unknown[] {
  switch (page.holds) {
    case 'logs':
      return page.rows.map(shownLog);
    case 'traces':
      return page.rows.map(shownTrace);
    case 'spans':
      return otlpSpans(page.rows).resourceSpans;
    case 'series':
    case 'profile':
      return page.rows;
  }
}

interface Seen {
  rows: number;
  bytes: number;
  /** Whether a provider that was chosen did not give all that it has. */
  lost: boolean;
  readonly providers: Set<string>;
  readonly warnings: Set<string>;
}

function note(seen: Seen, { answers, page, isFallback }: Gathered, text: string): void {
  seen.rows += page.rows.length;
  seen.bytes += Buffer.byteLength(text);
  for (const { provider, read, failure, skipped, rows } of answers) {
    if (rows > 0) seen.providers.add(provider.id);
    const problem = failure?.message ?? (skipped === undefined ? skipped : `not asked: ${skipped}`);
    if (problem !== undefined) seen.warnings.add(`${provider.id}: ${problem}`);
    for (const warning of read?.warnings ?? []) seen.warnings.add(`${provider.id}: ${warning}`);
  }
  // Who answered for another one is as good as that one.
  const asked = isFallback ? answers.slice(-1) : answers;
  seen.lost ||= asked.some(({ status }) => status !== 'ok');
}

/** The time that an export speaks of. */
export function rangeOf({ question: { range } }: ReadQuery) {
  return { from: rfc3339(range.start), to: rfc3339(range.end) };
}
