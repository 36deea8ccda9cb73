import { type ApiOperation, parametersOf } from '../../model/schema/api-operations.ts';
import { wordsOf } from '../../model/texts/names.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { type SuccessContent, successContent } from '../examples/success-content.ts';

/** Verbs of operations that change something, whatever method they use. */
const changing = new Set(
  `accept activate add approve archive assign attach ban block cancel clear close complete confirm
  connect create deactivate delete deny destroy detach disable disconnect dismiss enable execute
  generate install invite invoke join kick launch leave lock login logout mark merge move mute
  open pause post publish purge push put reboot refresh register reject remove rename reopen
  request reset resend resize restart restore resume revoke rollback rotate run send set share
  start stop submit subscribe suspend sync transfer trash trigger unarchive unassign unban unblock
  uninstall unlock unmute unpublish unregister unsubscribe update upload upgrade write`.split(
    /\s+/,
  ),
);

const reading = new Set(
  `check count describe download fetch find get list lookup query read retrieve search show
  view`.split(/\s+/),
);

/** Those of them that leave no doubt, also where the method promises nothing. */
const asking = new Set('count describe find get info list lookup query retrieve search'.split(' '));

/** What a scaffold has to know of an operation before it chooses. */
export interface OperationNature {
  readonly operation: ApiOperation;
  /** As far as its method and its names tell, it only reads. */
  readonly reads: boolean;
  readonly deprecated: boolean;
  readonly pathParameters: number;
  /** What it answers after a success, where that is JSON. */
  readonly content: SuccessContent | undefined;
}

/** Judge an operation by its method, its names and its answer. */
export function natureOf(document: ApiDocument, operation: ApiOperation): OperationNature {
  const { node, method } = operation;
  const summary = String(node['summary'] ?? node['description'] ?? '');
  const inPath = parametersOf(document, operation).filter(({ in: place }) => place === 'path');
  return {
    operation,
    reads: onlyReads(operation, summary, method),
    deprecated: node['deprecated'] === true || /\bdeprecated\b/i.test(summary.slice(0, 80)),
    pathParameters: inPath.length,
    content: successContent(document, operation),
  };
}

/** A GET, or what asks by POST because its question is long: some APIs have nothing but POST. */
function onlyReads(operation: ApiOperation, summary: string, method: string): boolean {
  if (method === 'QUERY') return true;
  if (method === 'GET') return !soundsChanging(operation, summary);
  return method === 'POST' && soundsReading(operation, summary);
}

/** Whether nothing but a reading verb stands where names have their verb. */
function soundsReading(operation: ApiOperation, summary: string): boolean {
  const verbs = verbsOf(operation, summary);
  return verbs.some((verb) => asking.has(verb)) && !verbs.some((verb) => changing.has(verb));
}

/** Whether a changing verb stands where names have their verb: vendors delete by GET, too. */
function soundsChanging(operation: ApiOperation, summary: string): boolean {
  const verbs = verbsOf(operation, summary);
  return !reading.has(verbs[0] ?? '') && verbs.some((verb) => changing.has(verb));
}

/** The words that may be the verb: the ends of its id, of its path, and how its summary begins. */
function verbsOf({ id, path }: ApiOperation, summary: string): string[] {
  const [first = '', ...others] = wordsOf(id ?? '').map((word) => word.toLowerCase());
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const lastOfPath = wordsOf(segments.at(-1) ?? '').at(-1) ?? '';
  const verbOfSummary = (wordsOf(summary)[0] ?? '').toLowerCase().replace(/s$/, '');
  return [first, others.at(-1) ?? '', lastOfPath.toLowerCase(), verbOfSummary];
}
