import { isDeepStrictEqual } from 'node:util';
import { isObject } from '#contract/json';

/** An extension as a server tells of it (x402 v2, extensions). */
export interface Extension {
  readonly info: Readonly<Record<string, unknown>>;
  /** JSON Schema of what a client gives back. */
  readonly schema: object;
  /** Of a path that has parameters: with `:name` in their places. */
  readonly routeTemplate?: string;
}

/** By the ids of the extensions. */
export type Extensions = Readonly<Record<string, Extension>>;

const identifierForm = /^[A-Za-z0-9_-]{16,128}$/;

/** A client may give its payment a name, and gets the same answer again under it. */
export const paymentIdentifier = {
  info: { required: false },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      required: { type: 'boolean' },
      id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' },
    },
    required: ['required'],
  },
} as const satisfies Extension;

/** What a client has given back of the extensions that it was told of. */
export type Echo =
  | { readonly identifier: string | undefined }
  | 'extension_echo_mismatch'
  | 'invalid_payload';

/** Read it: a client adds to what it was told, and changes nothing of it. */
export function readEcho(shown: unknown, told: Extensions): Echo {
  if (shown === undefined) return { identifier: undefined };
  if (!isObject(shown)) return 'invalid_payload';
  for (const [id, { info }] of Object.entries(told)) {
    const echo = shown[id];
    if (echo === undefined) continue;
    if (!isObject(echo) || !isObject(echo['info'])) return 'invalid_payload';
    const given = echo['info'];
    const isSame = Object.entries(info).every(([name, value]) => {
      return isDeepStrictEqual(given[name], value);
    });
    if (!isSame) return 'extension_echo_mismatch';
  }
  const named = shown['payment-identifier'];
  const info = isObject(named) ? named['info'] : undefined;
  const identifier = isObject(info) ? info['id'] : undefined;
  if (identifier === undefined) return { identifier: undefined };
  return typeof identifier === 'string' && identifierForm.test(identifier)
    ? { identifier }
    : 'invalid_payload';
}
