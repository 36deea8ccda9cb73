import { isObject } from '#contract/json';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ApiOperation } from '../../model/schema/api-operations.ts';
import type { ApiDocument, Loss } from '../../read/document/api-document.ts';
import { lookUp, parsePointer } from '../../read/text/json-pointer.ts';

/**
 * Find the references of a description that lead nowhere, and the forms of lists that are lost on the
 * way to OpenAPI 3, by the operation whose parameters or body they belong to: its calls would be wrong.
 * Fields of a form beside a body are gone as well. One whose success leads nowhere as a whole has no answer that anything is known of.
 */
export function brokenReferences({
  document,
  diagnostics = [],
  losses = [],
}: Described): (operation: ApiOperation | undefined) => Diagnostic | undefined {
  // What led to a component that is gone is gone as well: no diagnostic stands where it was.
  const found = [
    ...diagnostics.map((diagnostic) => ({ pointer: diagnostic.pointer, diagnostic })),
    ...losses,
  ];
  const broken = found.filter(
    ({ diagnostic: { severity, message } }) =>
      (severity === 'error' && /^(?:\$ref|formData) /.test(message)) || isLostForm(message),
  );
  if (broken.length === 0) return () => undefined;
  return (operation) => {
    if (operation === undefined) return undefined;
    const { pointer, pathItem } = operation;
    const own = ['parameters', 'requestBody'].map((part) => `${pointer}/${part}`);
    const places = reachable(document, [`${pathItem.pointer}/parameters`, ...own]);
    return broken.find(
      ({ pointer: at }) =>
        places.some((place) => at === place || at.startsWith(`${place}/`)) ||
        (at.startsWith(pointer) && wholeAnswer.test(at.slice(pointer.length))),
    )?.diagnostic;
  };
}

/** A success as a whole: of one in which a schema alone is missing, the rest is still known. */
const wholeAnswer = /^\/responses\/(?:2[^/]*|default)\/\$ref$/;

interface Described {
  readonly document: ApiDocument;
  readonly diagnostics?: readonly Diagnostic[];
  readonly losses?: readonly Loss[];
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
