import { isObject } from '#contract/json';
import { shown } from '../document/shape-mismatch.ts';
import { type Node, typeOf, walk } from '../document/walk.ts';
import { lose, report, takeOut, type WorkingDocument } from '../document/working-document.ts';
import type { Path } from '../text/origins.ts';

/** Characters of a path and of an address; what is longer, few servers take (RFC 9110, section 4.1). */
export const longestAddress = 2_000;

/** The fields of all versions that hold an address, or a part of one; schemas have none of their own. */
const fields = [
  'url',
  'host',
  'basePath',
  'authorizationUrl',
  'deviceAuthorizationUrl',
  'oauth2MetadataUrl',
  'openIdConnectUrl',
  'refreshUrl',
  'tokenUrl',
  'operationRef',
  'termsOfService',
  'jsonSchemaDialect',
  '$self',
];

/**
 * Leave out paths and addresses that are longer than any real one, before anybody takes them apart:
 * the field, or the whole object where that is nothing without it.
 */
export function leaveOutLong(document: WorkingDocument): void {
  const { root } = document;
  const paths = isObject(root['paths']) ? Object.keys(root['paths']) : [];
  const long = paths.filter((path) => path.length > longestAddress);
  for (const path of long) tell(document, ['paths', path], 'a path', path);
  takeOut(
    document,
    long.map((path) => ['paths', path]),
  );
  const places: Path[] = [];
  walk(document.grammar, root, {
    object(name, node, path) {
      if (name === 'Schema') return;
      for (const key of fields) {
        const text = node[key];
        if (typeof text !== 'string' || text.length <= longestAddress) continue;
        tell(document, [...path, key], `"${key}"`, text);
        places.push(isAll(document, name, node, key) ? [...path] : [...path, key]);
      }
    },
  });
  takeOut(document, places);
}

/** Whether an object says nothing without a field; the document itself is never left out. */
function isAll({ grammar }: WorkingDocument, name: string, node: Node, key: string): boolean {
  return name !== 'Document' && typeOf(grammar, name, node)?.required?.includes(key) === true;
}

function tell(document: WorkingDocument, path: Path, what: string, text: string): void {
  const message = `${what} must have at most ${longestAddress} characters, but it is ${shown(text)} of ${text.length}: it is left out`;
  lose(document, path, report(document, 'SPEC005', path, message));
}
