import { FormData } from 'undici';
import { ToolError } from '#contract/errors';
import { isObject } from '#contract/json';
import type { Body } from '#contract/request';
import type { WireRequest } from '../call/exchange.ts';
import { isHeaderValue } from '../connection/header-safety.ts';
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
        contentType: body.contentType ?? jsonType,
      };
    case 'form':
      return {
        body: encodeFields(body.fields),
        contentType: 'application/x-www-form-urlencoded',
      };
    case 'multipart':
      return { body: encodeParts(body.parts, fileBytes) };
    case 'raw':
      return { body: encodeRaw(body.value, fileBytes), contentType: body.contentType };
    default:
      return body satisfies never;
  }
}

/** A multipart/form-data body (RFC 7578); its boundary is written by the connection. */
function encodeParts(parts: Readonly<Record<string, unknown>>, fileBytes: number): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    for (const part of Array.isArray(value) ? value : [value]) {
      if (part !== undefined && part !== null) form.append(name, encodePart(part, name, fileBytes));
    }
  }
  return form;
}

function encodePart(part: unknown, name: string, fileBytes: number): string | File {
  if (isFile(part)) {
    const type = part.type ?? 'application/octet-stream';
    const bytes = new Uint8Array(decodeFile(part.base64, fileBytes));
    return new File([bytes], part.filename ?? name, { type: isHeaderValue(type) ? type : '' });
  }
  if (typeof part !== 'object') return String(part);
  return new File([JSON.stringify(part)], name, { type: 'application/json' });
}

interface FilePart {
  readonly base64: string;
  readonly filename?: string;
  readonly type?: string;
}

function isFile(part: unknown): part is FilePart {
  return (
    isObject(part) &&
    typeof part['base64'] === 'string' &&
    isOptionalText(part['filename']) &&
    isOptionalText(part['type'])
  );
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function encodeRaw(value: unknown, fileBytes: number): WireRequest['body'] {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  if (isFile(value)) return decodeFile(value.base64, fileBytes);
  return JSON.stringify(value);
}

function decodeFile(base64: string, fileBytes: number): Buffer {
  // Four characters carry three bytes (RFC 4648 section 4).
  if ((base64.length / 4) * 3 > fileBytes + 3)
    throw unacceptable(`is larger than ${fileBytes} bytes`);
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(base64)) throw unacceptable('is not base64');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > fileBytes) throw unacceptable(`is larger than ${fileBytes} bytes`);
  return bytes;
}

function unacceptable(reason: string): ToolError {
  return new ToolError('invalid_arguments', `the file ${reason}`, { retryable: false });
}
