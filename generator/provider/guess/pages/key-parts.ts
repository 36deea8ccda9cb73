import type { ApiDocument } from '../../../read/document/api-document.ts';
import type { OperationNature } from '../../operations/operation-nature.ts';
import { membersOf } from './answer-list.ts';
import { keyParts } from './answer-position.ts';
import { optionalInputs } from './page-inputs.ts';
import { limitNames } from './paging-names.ts';

/** The parameters, but for the size of a page, that only go on together. */
export function keyPartsOf(document: ApiDocument, nature: OperationNature): readonly string[] {
  const wires = optionalInputs(document, nature).map(({ wire }) => wire);
  const places = wires.filter((wire) => !limitNames.test(wire));
  const answer = nature.content?.schema ?? {};
  const told = keyParts(document, answer, places);
  if (told.length > 1) return told;
  const members = membersOf(document, answer).map(([name]) => plain(name));
  return namedParts(places, (wire) =>
    [plain(wire), `next${plain(wire)}`].some((name) => members.includes(name)),
  );
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/** The parts of a key that parameters name apart: `last_id` and `last_ts`. */
const keyPart =
  /^(last|next|cursor|continuation|after|start_?(?:after|from)|exclusive_?start)_?(id|key|uuid|ts|time(?:stamp)?|created(?:_?at)?|value|score|sort(?:_?value)?)$/i;

/** What is after an id or a time may as well be two filters, unless the answer tells both. */
function namedParts(wires: readonly string[], isTold: (wire: string) => boolean) {
  const parts = new Map<string, string[]>();
  for (const wire of wires) {
    const [, stem] = keyPart.exec(wire) ?? [];
    if (stem === undefined || (/^after$/i.test(stem) && !isTold(wire))) continue;
    const key = plain(stem);
    parts.set(key, [...(parts.get(key) ?? []), wire]);
  }
  // The time alone is a filter, and the id alone a cursor.
  const isKey = (all: readonly string[]) => all.some((wire) => /(?:id|key)$/i.test(wire));
  return [...parts.values()].find((all) => all.length > 1 && isKey(all)) ?? [];
}
