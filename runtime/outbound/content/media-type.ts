import { LRUCache } from 'lru-cache';
import { type Headers, headerOf } from '../call/exchange.ts';

/** What a Content-Type says. */
interface ContentType {
  /** In lower case; empty when it names none. */
  readonly type: string;
  readonly charset: string | undefined;
}

/** What was read before: a vendor sends the same few headers with all of its answers. */
const known = new LRUCache<string, ContentType>({ max: 64 });

function contentType(headers: Headers): ContentType {
  const value = headerOf(headers, 'content-type') ?? '';
  let found = known.get(value);
  if (!found) {
    found = readContentType(value);
    known.set(value, found);
  }
  return found;
}

function readContentType(value: string): ContentType {
  const named = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(value);
  return { type: (value.split(';', 1)[0] ?? '').trim().toLowerCase(), charset: named?.[1] };
}

/** The media type of an answer, without its parameters, in lower case; empty when it names none. */
export function mediaType(headers: Headers): string {
  return contentType(headers).type;
}

/** Decode a text by the charset that its Content-Type names; without one it is UTF-8. */
export function decodeText(bytes: Buffer, headers: Headers, declared?: string): string {
  const charset = (contentType(headers).charset ?? declared ?? 'utf-8').toLowerCase();
  const text = charset === 'utf-8' ? bytes.toString('utf8') : decodeAs(bytes, charset);
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function decodeAs(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // A label that the Encoding standard does not know.
    return bytes.toString('utf8');
  }
}

export function isJsonType(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json') || type === 'text/json';
}

export function isXmlType(type: string): boolean {
  return type === 'application/xml' || type === 'text/xml' || type.endsWith('+xml');
}

export function isEventStream(type: string): boolean {
  return type === 'text/event-stream';
}

export function isHtmlType(type: string): boolean {
  return type === 'text/html' || type === 'application/xhtml+xml';
}
