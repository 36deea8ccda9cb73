import type { ToolInput } from '../../../model/vendor/inputs/tool-input.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { hasMorePath, nextValuePath } from './answer-position.ts';
import { named } from './paging-names.ts';

/** What asks for the changes since an earlier answer: where one has all of a list, that begins anew. */
export const syncNames = named('(?:next_?|last_?|start_?)?sync_?(?:token|cursor|key)');

/**
 * The parameters that may be cursors, with a token for changes among them only where nothing else is
 * one and the answer says that more changes follow, without a token for the next page beside.
 */
export function withoutSyncs(
  document: ApiDocument,
  answer: Readonly<Record<string, unknown>>,
  {
    cursors,
    syncs,
  }: { readonly cursors: readonly ToolInput[]; readonly syncs: readonly ToolInput[] },
): readonly ToolInput[] {
  const plain = cursors.filter((input) => !syncs.includes(input));
  if (plain.length > 0 || hasMorePath(document, answer) === undefined) return plain;
  const next = nextValuePath(document, answer, 'next_page_token') ?? '';
  return /page/i.test(next) ? [] : syncs;
}
