import { apiOperations, parametersOf } from '../../model/schema/api-operations.ts';
import type { CuratedOperation } from '../../model/shape/curation.ts';
import { keyHeaders, vendorKeyOf } from '../../model/vendor/vendor-key.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { isCredentialName } from '../guess/credential-names.ts';

/** A parameter of this name says nothing (OpenAPI 3.1, parameter object). */
const ignored = new Set(['accept', 'content-type', 'authorization']);

/**
 * The optional headers and cookies of curated operations that none of their tools takes: `header X-Dry-Run`,
 * each once. A curation takes in a header that `params.include` names; cookies are never sent.
 */
export function leftOut(
  document: ApiDocument,
  operations: readonly CuratedOperation[],
): readonly string[] {
  const names = apiOperations(document).all.flatMap((operation) => {
    const curated = operations.find(({ from }) =>
      from.operationId === undefined
        ? from.method === operation.method && from.path === operation.path
        : from.operationId === operation.id,
    );
    if (!curated) return [];
    const taken = [
      ...(curated.params?.include ?? []),
      ...Object.keys(curated.headers ?? {}),
      ...keyHeaders(vendorKeyOf(curated)),
    ];
    return parametersOf(document, operation).flatMap(({ in: place, name, required }) => {
      const isAbout =
        (place === 'header' && !ignored.has(name.toLowerCase())) || place === 'cookie';
      if (!isAbout || required || isCredentialName(name, place) || taken.includes(name)) return [];
      return [`${place} ${name}`];
    });
  });
  return [...new Set(names)];
}
