import { LRUCache } from 'lru-cache';
import { type Headers, headerOf } from '../call/exchange.ts';
import { type ReadText, readText } from './charset.ts';

/** What a Content-Type says. */
interface ContentType {
  /** In lower case; empty when it names none, or none that can be read. */
  readonly type: string;
  /** It says something else than a media type. */
  readonly isUnread: boolean;
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

/** The longest that are registered have 85. */
const longest = 100;

/** Two tokens (RFC 9110, sections 5.6.2 and 8.3.1). */
const written = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;

/** Whether a text is a media type without parameters: whatever else stands there would speak in our words. */
export function isMediaType(text: string): boolean {
  return text.length <= longest && written.test(text);
}

function readContentType(value: string): ContentType {
  const named = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(value);
  const said = (value.split(';', 1)[0] ?? '').trim().toLowerCase();
  const isRead = isMediaType(said);
  return { type: isRead ? said : '', isUnread: !isRead && said !== '', charset: named?.[1] };
}

/** The media type of an answer, without its parameters, in lower case; empty when it names none that can be read. */
export function mediaType(headers: Headers): string {
  return contentType(headers).type;
}

const unreadType = 'of no media type that can be read';

/** The media type of an answer in words; `undefined` when it names nothing. */
export function toldMediaType(headers: Headers): string | undefined {
  const { type, isUnread } = contentType(headers);
  if (isUnread) return unreadType;
  return type === '' ? undefined : toldType(type);
}

/** The kinds that are registered (RFC 6838, section 4.2). */
const kind = /^(?:application|audio|font|haptics|image|message|model|multipart|text|video)\//;

/** `application/x-www-form-urlencoded` is told whole. */
const mostTold = 33;

/** A media type as a sentence of ours names it: it is the vendor's word, and a long one could be a sentence of its own. */
export function toldType(type: string): string {
  if (!kind.test(type)) return unreadType;
  return type.length <= mostTold ? type : `${type.slice(0, mostTold)}…`;
}

/** Decode a text by the charset that its Content-Type names, or by what its bytes show. */
export function decodeText(bytes: Buffer, headers: Headers, declared?: string): string {
  return decodeGuessing(bytes, headers, declared).text;
}

/** The same, and which charset was guessed, where none was named and it is no UTF-8. */
export function decodeGuessing(bytes: Buffer, headers: Headers, declared?: string): ReadText {
  const read = readText(bytes, contentType(headers).charset ?? declared);
  return read.text.charCodeAt(0) === 0xfeff ? { ...read, text: read.text.slice(1) } : read;
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
