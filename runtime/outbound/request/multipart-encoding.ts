import { randomUUID } from 'node:crypto';
import { isObject } from '#contract/json';
import { TypedPart } from '#contract/request';
import { JoinedList } from '#contract/text/joined-list';
import { refusedValue } from '#contract/text/refused-value';
import { wholeCharacters } from '#contract/text/wire-text';
import { isHeaderValue } from '../connection/header-safety.ts';
import { isMediaType } from '../content/media-type.ts';
import { decodeFile } from './file-bytes.ts';

/** A multipart/form-data body and its media type, which names the boundary. */
interface EncodedParts {
  readonly body: Buffer;
  readonly contentType: string;
}

/**
 * Write a multipart/form-data body (RFC 7578): files as files, scalars as fields, objects as parts
 * of type application/json unless they name another (OpenAPI 3.1, encoding object), each member of a list as a part of its own.
 * Line ends within a value stay as they are.
 *
 * @throws ToolError `invalid_arguments` for a file that is too large or not base64
 */
export function encodeParts(
  parts: Readonly<Record<string, unknown>>,
  fileBytes: number,
): EncodedParts {
  const boundary = `part-${randomUUID()}`;
  const chunks: Buffer[] = [];
  for (const [name, value] of Object.entries(parts)) {
    for (const part of Array.isArray(value) ? value : [value]) {
      if (part === undefined || part === null) continue;
      const { head, content } = encodePart(part, name, fileBytes);
      chunks.push(Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), content, Buffer.from('\r\n'));
    }
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    body: Buffer.concat(chunks),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

const bytes = 'application/octet-stream';

function encodePart(given: unknown, name: string, fileBytes: number) {
  const isTyped = given instanceof TypedPart;
  const part = isTyped ? given.value : given;
  const place = `Content-Disposition: form-data; name="${quoted(name)}"`;
  if (isFile(part)) {
    const type = typeOf(part) ?? (isTyped ? given.contentType : bytes);
    return {
      head: `${place}; filename="${quoted(nameOf(part) ?? name)}"\r\nContent-Type: ${type}`,
      content: decodeFile(part.base64, fileBytes),
    };
  }
  const isJoined = part instanceof JoinedList;
  const isData = typeof part === 'object' && !isJoined;
  // Without a type it is text/plain (RFC 7578, section 4.4), which an object is not.
  const usual = isData ? 'application/json' : undefined;
  const type = isTyped ? given.contentType : usual;
  const text = isData || (isTyped && !isJoined && isJson(type)) ? jsonOf(part) : String(part);
  return {
    head: type === undefined ? place : `${place}\r\nContent-Type: ${type}`,
    content: Buffer.from(wholeCharacters(text)),
  };
}

/** The media type that a caller names: anything else would write more of the part. */
function typeOf({ type }: FilePart): string | undefined {
  if (type === undefined || type === '') return undefined;
  if (isMediaType(type.split(';', 1)[0]?.trim() ?? '') && isHeaderValue(type)) return type;
  const shown = JSON.stringify(type.slice(0, 80));
  throw refusedValue(type, `expected a media type such as image/png, but ${shown} was given`);
}

function nameOf({ filename }: FilePart): string | undefined {
  if (!filename?.includes('\0')) return filename;
  const shown = JSON.stringify(filename.slice(0, 80));
  throw refusedValue(
    filename,
    `expected the name of a file, but ${shown} was given, which holds a zero`,
  );
}

function isJson(type: string | undefined): boolean {
  return type !== undefined && /^application\/(?:[\w.-]+\+)?json\b/i.test(type);
}

/** JSON text of a value. A text that is JSON of more than a word already is what the caller has written out. */
function jsonOf(part: unknown): string {
  return typeof part === 'string' && isWrittenOut(part) ? part : JSON.stringify(part);
}

function isWrittenOut(text: string): boolean {
  if (!/^\s*[{["]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A name in quotes, as browsers write it (WHATWG HTML, multipart form data). */
function quoted(name: string): string {
  return wholeCharacters(name)
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A')
    .replaceAll('"', '%22');
}

/** A file as a caller gives it. */
export interface FilePart {
  readonly base64: string;
  readonly filename?: string;
  readonly type?: string;
}

/** Whether a value is a file as callers give it. */
export function isFile(part: unknown): part is FilePart {
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
