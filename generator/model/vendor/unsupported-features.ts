import { isObject } from '#contract/json';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { type ApiOperation, parametersOf, requestPath, resolve } from '../schema/api-operations.ts';
import { hasOtherParts } from './inputs/body-form.ts';

/** Something that an operation asks for and that its tool will not do. */
export interface UnsupportedFeature {
  readonly pointer: string;
  readonly message: string;
  /** Whether no request without it is right. */
  readonly prevents?: true;
  /** Whether no request can be made at all. */
  readonly severity?: 'error';
}

/**
 * Find what the generator does not turn into code (SPEC020).
 *
 * @param isCredential tells parameters that are sent as credentials are
 */
export function unsupportedFeatures(
  document: ApiDocument,
  operation: ApiOperation,
  isCredential: (parameter: Readonly<Record<string, unknown>>) => boolean = () => false,
): UnsupportedFeature[] {
  return [
    ...unsentMethod(operation),
    ...callbacks(operation),
    ...movedPath(operation),
    ...parametersOf(document, operation).flatMap((parameter): UnsupportedFeature[] => {
      const { in: place, name, required, node, pointer } = parameter;
      if (place === 'cookie' && required && !isCredential(node)) {
        const message = `cookie "${name}" is required, but tools send no cookies`;
        return [{ pointer, message, prevents: true }];
      }
      if (place === 'path' && isEmptyText(document, node['schema'])) {
        const message = `the argument "${name}" of the path may hold nothing (maxLength: 0), and must hold something`;
        return [{ pointer, message, prevents: true }];
      }
      const types = isObject(node['content']) ? Object.keys(node['content']) : [];
      const isForm = types.some((type) => type.includes('x-www-form-urlencoded'));
      if (place !== 'querystring' || isForm) return [];
      const message = `the query string is ${types.join()}, but tools write it as a form`;
      return [{ pointer, message, prevents: true }];
    }),
    ...unwritableBody(document, operation),
  ];
}

function isEmptyText(document: ApiDocument, schema: unknown): boolean {
  if (!isObject(schema)) return false;
  return resolve(document, { node: schema, pointer: '' }).node['maxLength'] === 0;
}

/** Methods that clients for HTTP never send (WHATWG Fetch, 2.2.1), in whichever letters. */
const neverSent = /^(?:connect|trace|track)$/i;

function unsentMethod({ method, pointer }: ApiOperation): UnsupportedFeature[] {
  if (!neverSent.test(method)) return [];
  const message = `${method} is never sent: it is for what stands between caller and vendor`;
  return [{ pointer, message, prevents: true, severity: 'error' }];
}

/** A path that arrives as another one: dots and backslashes mean something in an address (WHATWG URL). */
function movedPath(operation: ApiOperation): UnsupportedFeature[] {
  const path = requestPath(operation);
  const written = `/base${path.replace(/\{[^{}]*\}/g, 'x')}`;
  const { pathname, search } = new URL(`https://vendor.invalid${written}`);
  if (decoded(pathname + search) === decoded(written)) return [];
  const arrives = pathname.replace(/^\/base/, '') || '/';
  const message = `the path ${path} would arrive as ${arrives}: addresses cannot hold what stands there`;
  return [{ pointer: operation.pointer, message, prevents: true }];
}

function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (octets) =>
    Buffer.from(octets.replaceAll('%', ''), 'hex').toString(),
  );
}

function callbacks({ node, pointer }: ApiOperation): UnsupportedFeature[] {
  if (!isObject(node['callbacks']) || Object.keys(node['callbacks']).length === 0) return [];
  return [{ pointer: `${pointer}/callbacks`, message: 'callbacks are not received by tools' }];
}

function unwritableBody(
  document: ApiDocument,
  { node, pointer }: ApiOperation,
): UnsupportedFeature[] {
  if (!isObject(node['requestBody'])) return [];
  const place = { node: node['requestBody'], pointer: `${pointer}/requestBody` };
  const body = resolve(document, place);
  const types = isObject(body.node['content']) ? Object.keys(body.node['content']) : [];
  const at = `${body.pointer}/content`;
  if (types.length === 0) return [];
  if (types.every(hasOtherParts)) {
    const message = `the body is ${types.join()}, whose parts tools do not write`;
    return [{ pointer: at, message, prevents: true }];
  }
  if (!types.every((type) => /[/+]xml\b/.test(type))) return [];
  return [{ pointer: at, message: 'the body is XML: the caller has to write it as text' }];
}
