import { type ApiOperation, apiOperations } from '../../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { nounOf } from '../operation-role.ts';

/** What is done with a transaction that moves money. */
const acts =
  /^(?:approve|authori[sz]e|broadcast|cancel|capture|confirm|execute|process|refund|revers(?:e|al)|settle|sign|submit|void)$/;

/** What else in a path moves money. */
const others = /\b(?:order|pay|payment|payout|transfer|withdraw|withdrawal)\b/;

const known = new WeakMap<ApiDocument, ReadonlySet<string>>();

/**
 * Whether an operation only writes down what happened to money, as budgets and ledgers do. Nobody changes
 * and deletes a payment that was made: a transaction with which both is done is a record of one.
 */
export function isMoneyRecord(
  document: ApiDocument,
  { path }: Pick<ApiOperation, 'path'>,
): boolean {
  const nouns = nounsOf(path);
  if (!nouns.some((noun) => noun.endsWith('transaction'))) return false;
  const records = known.get(document) ?? recordsOf(document);
  known.set(document, records);
  return !others.test(nouns.join(' ')) && nouns.some((noun) => records.has(noun));
}

function recordsOf(document: ApiDocument): ReadonlySet<string> {
  const { all } = apiOperations(document);
  const done = Map.groupBy(all, ({ path }) => (isItem(path) ? (nounsOf(path).at(-1) ?? '') : ''));
  const found = [...done].filter(([noun, operations]) => {
    const methods = new Set(
      operations.filter(({ path }) => isOwn(path)).map((each) => each.method),
    );
    const isChanged = methods.has('PUT') || methods.has('PATCH');
    return noun.endsWith('transaction') && isChanged && methods.has('DELETE');
  });
  const moved = new Set(all.flatMap(({ path }) => nounsOf(path).flatMap(actedOn)));
  return new Set(found.map(([noun]) => noun).filter((noun) => !moved.has(noun)));
}

/** What stands before an act with money. */
function actedOn(noun: string, at: number, nouns: readonly string[]): readonly string[] {
  const before = nouns[at - 1];
  return before !== undefined && acts.test(noun) ? [before] : [];
}

function isOwn(path: string): boolean {
  return !others.test(nounsOf(path).join(' '));
}

function isItem(path: string): boolean {
  return /\}\/?$/.test(path);
}

/** The fixed parts of a path in the singular. */
function nounsOf(path: string): readonly string[] {
  return path
    .split('/')
    .filter((part) => part !== '' && !part.startsWith('{'))
    .map(nounOf);
}
