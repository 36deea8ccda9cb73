import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import { smallWords } from '../../../model/texts/names.ts';
import { ownParts } from '../framework-names.ts';
import { nounOf } from '../operation-role.ts';

/** So many characters a purpose has at least (`specs/schemas`). */
export const shortestPurpose = 10;

/** The method and the path of an operation, as its purpose names them. */
export function requestOf({ method, path }: Pick<ApiOperation, 'method' | 'path'>): string {
  return `${method} ${path.split('#', 1)[0]}`;
}

/**
 * A purpose with its request behind it where that says more: a fixed part of its path holds a word
 * that the purpose lacks, or the purpose is shorter than one may be. `GET /v1/users/{user_id}` says no more
 * than `Get one user`.
 */
export function withRequest(
  purpose: string,
  operation: Pick<ApiOperation, 'method' | 'path'>,
): string {
  const isShort = purpose.length < shortestPurpose;
  const said = new Set(smallWords(purpose).map(nounOf));
  const isSaid = (word: string) => said.has(nounOf(word));
  const saysMore = isShort || !ownParts(operation).flatMap(smallWords).every(isSaid);
  return saysMore ? `${purpose} (${requestOf(operation)})` : purpose;
}
