import { refusedValue } from './text/refused-value.ts';
import { wholeCharacters, wireText } from './text/wire-text.ts';

declare const safe: unique symbol;

/** A request path whose every interpolated part is encoded; only the `path` tag makes one. */
export type SafePath = string & { readonly [safe]: true };

type Scalar = string | number | boolean;

/** An interpolation that is encoded already, made by `simple`, `label` or `matrix`. */
class EncodedPart {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Build a request path. Each interpolation is percent-encoded (RFC 3986 section 2.3: all but
 * unreserved characters) and refused when it is empty or a dot segment, also after one decoding,
 * so a value can neither leave its segment nor climb out of the server's prefix.
 *
 * @throws ToolError `invalid_arguments`
 */
export function path(
  literals: TemplateStringsArray,
  ...values: readonly (Scalar | EncodedPart)[]
): SafePath {
  let text = literals[0] ?? '';
  values.forEach((value, index) => {
    text += value instanceof EncodedPart ? value.text : encode(value);
    text += literals[index + 1] ?? '';
  });
  return text as SafePath;
}

/** Style `simple` for arrays and objects (OpenAPI 3.1, style values): `3,4` or `x,1,y,2`. */
export function simple(value: unknown, explode = false): EncodedPart {
  return new EncodedPart(flatten(value, explode).join(','));
}

/**
 * Reserved expansion of a name that has slashes in it (RFC 6570 section 3.2.3): these stay, and
 * everything else is encoded as in any other part of a path.
 *
 * @param isPath whether the path begins with it behind its slash: an answer gives such a value with a slash
 * before it, which is the same one, and one behind it that stays
 */
export function segments(value: Scalar, isPath = false): EncodedPart {
  const text = String(value);
  const [, within = text, end = ''] = isPath ? (/^\/?(.*?[^/])(\/?)$/s.exec(text) ?? []) : [];
  return new EncodedPart(within.split('/').map(encode).join('/') + end);
}

/** Style `label`: `.3,4`, exploded `.3.4`. */
export function label(value: unknown, explode = false): EncodedPart {
  if (explode && typeof value === 'object') requireNoDots(value ?? {});
  return new EncodedPart(`.${flatten(value, explode).join(explode ? '.' : ',')}`);
}

/** A dot is not encoded (RFC 6570 section 3.2.5), so an item that holds one would be read as two. */
function requireNoDots(value: object): void {
  const parts = Array.isArray(value) ? value : Object.entries(value).flat();
  const dotted = parts.find((part) => String(part).includes('.'));
  if (dotted === undefined) return;
  const message = `an item of this list must hold no ".", which stands between items, but ${JSON.stringify(dotted)} was given`;
  throw refusedValue(dotted, message);
}

/** Style `matrix`: `;id=3,4`, exploded `;id=3;id=4` or `;x=1;y=2`. */
export function matrix(name: string, value: unknown, explode = false): EncodedPart {
  const parts = flatten(value, explode);
  if (!explode) return new EncodedPart(`;${encode(name)}=${parts.join(',')}`);
  const named = Array.isArray(value) ? parts.map((part) => `${encode(name)}=${part}`) : parts;
  return new EncodedPart(`;${named.join(';')}`);
}

/** The encoded parts of a value; none at all would name what is above it, such as the whole list. */
function flatten(value: unknown, explode: boolean): string[] {
  const parts = partsOf(value, explode);
  if (parts.length > 0) return parts;
  const message = `a path part must hold at least one value, but ${JSON.stringify(value)} was given`;
  throw refusedValue(value, message);
}

function partsOf(value: unknown, explode: boolean): string[] {
  if (Array.isArray(value)) return value.map(encode);
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, member]) =>
      explode ? [`${encode(key)}=${encode(member)}`] : [encode(key), encode(member)],
    );
  }
  return [encode(value)];
}

/** Unreserved characters that do not begin like a dot segment: most values, and nothing to encode. */
const plain = /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/;

function encode(value: unknown): string {
  const text = wireText(value);
  if (plain.test(text)) return text;
  if (isUnsafe(text)) {
    const message = `a path part must not be empty, "." or "..", but ${JSON.stringify(text)} was given`;
    throw refusedValue(value, message);
  }
  return encodeURIComponent(wholeCharacters(text)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function isUnsafe(text: string): boolean {
  return isDotSegment(text) || isDotSegment(decodeOnce(text));
}

function isDotSegment(text: string): boolean {
  // Some servers read a backslash as a slash, and some decode %2F before they resolve dots.
  return text === '' || text.split(/[/\\]/).some((part) => part === '.' || part === '..');
}

function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
