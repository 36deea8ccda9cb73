import type { CuratedPagination } from '../../../model/shape/curation.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import type { OperationNature } from '../../operations/operation-nature.ts';
import { nextValuePath } from './answer-position.ts';
import { headerCursors, inputsOf, isPlain } from './page-inputs.ts';
import { isNamedThing } from './told-list.ts';

/** A token that comes in a header of the answer, or in the answer itself, and goes out in a header of the request. */
export function byHeader(
  document: ApiDocument,
  nature: OperationNature,
  size: { readonly limit?: string },
): CuratedPagination | undefined {
  const { headers = [], nextHeader } = nature.content ?? {};
  if (!nature.reads || isNamedThing(document, nature)) return undefined;
  for (const input of inputsOf(document, nature)) {
    const { from, wire, required } = input;
    if (from !== 'header' || required || !headerCursors.test(wire)) continue;
    const same = headers.find((name) => name.toLowerCase() === wire.toLowerCase());
    const header = same ?? nextHeader;
    const response =
      header === undefined ? inAnswer(document, nature, wire) : { next_header: header };
    if (response === undefined || !isPlain(document, input)) continue;
    return { style: 'cursor', request: { cursor: wire, ...size }, response };
  }
  return undefined;
}

/** Where the answer itself has what a header takes, which stands there without the beginning of its name. */
function inAnswer(document: ApiDocument, { content }: OperationNature, wire: string) {
  const next = nextValuePath(document, content?.schema ?? {}, wire.replace(/^x[-_]/i, ''));
  return next === undefined ? undefined : { next };
}
