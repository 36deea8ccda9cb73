import type { Body } from '#contract/request';
import { isJsonSequence } from '#contract/text/json-sequence';
import { wholeCharacters } from '#contract/text/wire-text';
import type { WireRequest } from '../call/exchange.ts';
import { decodeFile } from './file-bytes.ts';
import { encodeParts, isFile } from './multipart-encoding.ts';
import { encodeFields } from './query-encoding.ts';

/** A body on the wire, and its media type where the connection does not write it itself. */
export interface EncodedBody {
  readonly body: WireRequest['body'];
  readonly contentType?: string;
}

/**
 * Encode a body. `jsonType` is the media type of a JSON body that names none.
 *
 * @throws ToolError `invalid_arguments` for a file that is too large or not base64
 */
export function encodeBody(
  body: Body,
  { jsonType, fileBytes }: { jsonType: string; fileBytes: number },
): EncodedBody {
  switch (body.kind) {
    case 'json':
      return {
        body: JSON.stringify(body.value) ?? null,
        contentType: inUtf8(ofRange(body.contentType ?? jsonType, 'application/json')),
      };
    case 'form':
      return {
        body: encodeFields(body.fields),
        contentType: 'application/x-www-form-urlencoded',
      };
    case 'multipart':
      return encodeParts(body.parts, fileBytes);
    case 'raw':
      return { body: encodeRaw(body, fileBytes), contentType: rawType(body) };
    default:
      return body satisfies never;
  }
}

/** The media type of a body; of a range of them the one that its file has. */
function rawType({ value, contentType }: Extract<Body, { kind: 'raw' }>): string {
  if (!isFile(value)) {
    const isJson = typeof value !== 'string' && /^(?:\*|application)\//i.test(contentType);
    return inUtf8(ofRange(contentType, isJson ? 'application/json' : anyBytes));
  }
  const { type } = value;
  const isNamed = type !== undefined && /^[\w.+-]+\/[\w.+-]+$/.test(type);
  return isNamed && contentType.includes('*') ? type : ofRange(contentType, anyBytes);
}

const anyBytes = 'application/octet-stream';

/** A type in a range of media types (RFC 9110 section 12.5.1), which is no type itself: `usual` where none is known. */
function ofRange(contentType: string, usual: string): string {
  if (!contentType.includes('*')) return contentType;
  const suffix = /^application\/\*\+(json|xml)\b/i.exec(contentType)?.[1];
  if (suffix !== undefined) return `application/${suffix}`;
  return /^text\/\*/i.test(contentType) ? 'text/plain' : usual;
}

/** Whatever is written here is UTF-8: a type that names another charset says so no longer. */
function inUtf8(contentType: string): string {
  return contentType.replace(/\s*;\s*charset\s*=\s*(?!"?utf-?8\b)(?:"[^"]*"|[^;\s]*)/i, '');
}

function encodeRaw(
  { value, contentType }: Extract<Body, { kind: 'raw' }>,
  fileBytes: number,
): WireRequest['body'] {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return wholeCharacters(value);
  if (isFile(value)) return decodeFile(value.base64, fileBytes);
  const before = Array.isArray(value) ? beforeEach(contentType) : undefined;
  if (Array.isArray(value) && before !== undefined) {
    return value.map((item) => `${before}${JSON.stringify(item)}\n`).join('');
  }
  return JSON.stringify(value);
}

/** What begins each value of a body that is one JSON text after the other: on lines, or as RFC 7464 has them. */
function beforeEach(contentType: string): string | undefined {
  if (/^application\/json-seq\b/i.test(contentType)) return '\u001e';
  return isJsonSequence(contentType) ? '' : undefined;
}
