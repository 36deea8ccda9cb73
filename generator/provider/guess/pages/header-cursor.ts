import type { CuratedPagination } from '../../../model/shape/curation.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import type { OperationNature } from '../../operations/operation-nature.ts';
import { headerCursors, inputsOf, isPlain } from './page-inputs.ts';
import { isNamedThing } from './told-list.ts';

/** A token that comes in a header of the answer and goes out in one of the request. */
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
    const given = same ?? nextHeader;
    if (given === undefined || !isPlain(document, input)) continue;
    return {
      style: 'cursor',
      request: { cursor: wire, ...size },
      response: { next_header: given },
    };
  }
  return undefined;
}
