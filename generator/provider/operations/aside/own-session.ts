import { type ApiOperation, apiOperations } from '../../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { answerTypes } from '../../guess/answer-form.ts';
import { toldFirst } from '../nature/told-summary.ts';

/** What libraries for log-ins show of them, by the last part of its path: in small letters without anything between. */
const shown = /^(?:(?:current|get|list)?sessions?|accountinfo|listaccounts)$/;

/** How texts say that these are of whoever calls. */
const ofCaller =
  /^(?:\p{L}+ )?(?:(?:a|all|the|my|your|own|active|current|user'?s?|log-?in|auth\w*) )*sessions?\b(?: info(?:rmation)?)?(?: (?:for|of) (?:the |a |this )?(?:current |logged[- ]in )?(?:account|caller|user))?\W*$|\baccounts? (?:linked|connected) to the\b|\bprovided by the provider\b/iu;

/** Folders of paths in which nothing but accounts of people stands. */
const ofPeople = /\/(?:auth\w*|me|users?)$/i;

const entry = /^\/(?:(?:sign|log)[-_]?(?:in|out|off))(?:\/|$)/i;

/** Whether a GET shows how the caller has logged in: which sessions, from which other accounts. */
export function showsOwnLogin(document: ApiDocument, { path, node }: ApiOperation): boolean {
  const { folder, last } = placeOf(path);
  if (!shown.test(last) || !ofCaller.test(toldFirst(node).slice(0, shownText))) return false;
  return ofPeople.test(folder) || hasEntry(document, folder);
}

/** Whether a GET gives people a page that says what went wrong while they logged in. */
export function showsErrorPage(document: ApiDocument, operation: ApiOperation): boolean {
  const { folder, last } = placeOf(operation.path);
  if (last !== 'error') return false;
  const types = answerTypes(document, operation);
  return (
    types.length > 0 && types.every((type) => /html/i.test(type)) && hasEntry(document, folder)
  );
}

/** The way in and out beside what stands in a folder: `/auth/sign-in/email` beside `/auth/get-session`. */
function hasEntry(document: ApiDocument, folder: string): boolean {
  return apiOperations(document).all.some(
    ({ path }) => path.startsWith(folder) && entry.test(path.slice(folder.length)),
  );
}

function placeOf(path: string): { readonly folder: string; readonly last: string } {
  const end = path.lastIndexOf('/');
  return {
    folder: path.slice(0, Math.max(0, end)),
    last: path
      .slice(end + 1)
      .toLowerCase()
      .replace(/[-_]/g, ''),
  };
}

/** So many characters of a text tell what an operation shows. */
const shownText = 120;
