import { type ApiOperation, apiOperations } from '../../../model/schema/api-operations.ts';
import { smallWords } from '../../../model/texts/names.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { toldFirst } from './told-summary.ts';

/** Texts that begin with so many of the same words tell of one thing. */
const mostWords = 5;
const fewestWords = 3;

/**
 * The GET at the place of a POST that is called so and said to do the same: what asks so by its address may ask
 * by its body, where that is long (`plan` and `planPost`). Frameworks that have one text for a list and what
 * adds to it call the two differently.
 */
export function askedAlike(
  document: ApiDocument,
  { id = '', method, path, node }: ApiOperation,
): ApiOperation | undefined {
  const told = beginning(toldFirst(node));
  const called = smallWords(id).join(' ');
  const plain = called.replace(/^post | (?:(?:by|using|via|with) )?post$/, '');
  if (method !== 'POST' || told === undefined || plain === called) return undefined;
  return apiOperations(document).all.find(
    (other) =>
      other.method === 'GET' &&
      other.path === path &&
      smallWords(other.id ?? '').join(' ') === plain &&
      beginning(toldFirst(other.node)) === told,
  );
}

function beginning(text: string): string | undefined {
  const words = smallWords(text);
  return words.length < fewestWords ? undefined : words.slice(0, mostWords).join(' ');
}
