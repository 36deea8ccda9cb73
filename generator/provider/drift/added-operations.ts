import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isObject } from '#contract/json';
import { type ApiOperation, apiOperations, routeOf } from '../../model/schema/api-operations.ts';
import type { CuratedOrigin } from '../../model/shape/curation.ts';
import type { Described } from './described.ts';
import type { DriftChange } from './drift-change.ts';
import type { Pair } from './pair-operations.ts';

/** What is known of a provider and what it leaves off. */
interface Known {
  readonly base: string;
  readonly id: string;
  /** The text of its curation, in which what is left off stands as comments. */
  readonly text: string;
  readonly pairs: readonly Pair[];
}

/**
 * Operations that no line of a curation speaks of. Where it lists none that it leaves off, there are
 * only news if it had left off none: what it did not take cannot be told from what is new.
 */
export function addedOperations(known: Known, { document }: Described): readonly DriftChange[] {
  const listed = [...known.text.matchAll(/^ {2}# {3}from: (.+)$/gm)].flatMap(([, from = '']) =>
    originOf(from),
  );
  if (listed.length === 0 && !tookAll(known)) return [];
  const ids = new Set(listed.flatMap(({ operationId }) => operationId ?? []));
  const routes = new Set(listed.map(({ method, path }) => `${method} ${path}`));
  const kept = new Set(known.pairs.flatMap(({ now }) => now?.pointer ?? []));
  const followed = new Set(
    known.pairs.map(({ curated: { response } }) => `GET ${response?.follow?.path}`),
  );
  const isKnown = (operation: ApiOperation) =>
    kept.has(operation.pointer) ||
    (operation.id !== undefined && ids.has(operation.id)) ||
    routes.has(routeOf(operation)) ||
    followed.has(routeOf(operation));
  return apiOperations(document)
    .all.filter((operation) => !isKnown(operation))
    .map((operation) => ({
      ...{ kind: 'added', tool: operation.id ?? routeOf(operation), breaks: false },
      ...{
        text: 'the curation does not speak of it',
        ...document.locate(operation.pointer),
      },
    }));
}

function originOf(text: string): CuratedOrigin[] {
  try {
    const from: unknown = parse(text);
    return isObject(from) ? [from] : [];
  } catch {
    // A comment that is no YAML speaks of no operation.
    return [];
  }
}

/** Whether the provider took every operation of the description that it was drafted from. */
function tookAll({ base, id, pairs }: Known): boolean {
  try {
    const path = join(base, 'specs/providers', id, 'UPSTREAM.json');
    const upstream: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const total = isObject(upstream) ? upstream['operations_total'] : undefined;
    const taken = new Set(pairs.map(({ was }) => was.pointer)).size;
    return typeof total === 'number' && total <= taken;
  } catch {
    return false;
  }
}
