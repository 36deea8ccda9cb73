import { isObject } from '#contract/json';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ApiOperation } from '../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { lookUp, parsePointer } from '../../read/text/json-pointer.ts';

/**
 * Find the references of a description that lead nowhere, and the forms of lists that are lost on the
 * way to OpenAPI 3, by the operation whose parameters or body they belong to: its calls would be wrong.
 */
export function brokenReferences(
  document: ApiDocument,
  diagnostics: readonly Diagnostic[],
): (operation: ApiOperation | undefined) => Diagnostic | undefined {
  const broken = diagnostics.filter(
    ({ severity, message }) =>
      (severity === 'error' && message.startsWith('$ref ')) || isLostForm(message),
  );
  if (broken.length === 0) return () => undefined;
  return (operation) => {
    if (operation === undefined) return undefined;
    const { pointer } = operation;
    const item = pointer.slice(0, pointer.lastIndexOf('/'));
    const input = [`${item}/parameters`, `${pointer}/parameters`, `${pointer}/requestBody`];
    const places = reachable(document, input);
    return broken.find((each) =>
      places.some((place) => each.pointer === place || each.pointer.startsWith(`${place}/`)),
    );
  };
}

/** Whether a list is written in a way that OpenAPI 3 has no word for, such as with tabs between. */
function isLostForm(message: string): boolean {
  return message.startsWith('collectionFormat ');
}

/** Some places of a description, and all that they refer to. */
function reachable(document: ApiDocument, start: readonly string[]): readonly string[] {
  const places = new Set(start);
  for (const place of places) {
    for (const target of targetsIn(lookUp(document.root, parsePointer(place)))) places.add(target);
  }
  return [...places];
}

function targetsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(targetsIn);
  if (!isObject(value)) return [];
  const { $ref } = value;
  const own = typeof $ref === 'string' && $ref.startsWith('#/') ? [$ref.slice(1)] : [];
  return [...own, ...Object.values(value).flatMap(targetsIn)];
}
