import { isUtf8 } from 'node:buffer';
import { ToolError } from '#contract/errors';
import { nestedDeeperThan } from '#contract/json';
import { jsonFault } from '#contract/text/json-fault';
import { isJsonSequence } from '#contract/text/json-sequence';
import type { ResponseShape } from '#contract/tool';
import { type Answer, headerOf } from '../call/exchange.ts';
import { tooHeavy, unreadable } from '../call/unusable-answer.ts';
import type { ReadText } from './charset.ts';
import { parseEvents } from './event-stream.ts';
import { tolerantJson } from './json/exact-json.ts';
import { readJsonLines } from './json/json-lines.ts';
import { lostNumbers, type NumberLoss } from './json/lost-numbers.ts';
import {
  decodeGuessing,
  decodeText,
  isEventStream,
  isHtmlType,
  isJsonType,
  isXmlType,
  mediaType,
  toldType,
} from './media-type.ts';
import { pageWords } from './page-words.ts';
import { unpromisedType } from './promised-type.ts';
import { partial, type Remark } from './remark.ts';
import { weighJson, weighXml } from './weight.ts';
import { declaredEncoding, type XmlReader } from './xml.ts';

/** What an answer says, before it is shaped. */
export type Decoded =
  | { readonly kind: 'empty' }
  | { readonly kind: 'value'; readonly value: unknown; readonly remark?: Remark }
  | { readonly kind: 'text'; readonly text: string; readonly remark?: Remark }
  | { readonly kind: 'binary'; readonly mediaType: string; readonly bytes: Buffer };

export const empty: Decoded = { kind: 'empty' };

/** Discussions nest deeply, with two levels for each reply; nothing that is read nests deeper. */
const mostLevels = 200;

/** So much of an error is read; none says more. */
const errorBytes = 64 * 1024;

/** How one tool's answers are read. */
export interface Decoder {
  readonly as: ResponseShape['decode'];
  /** The tool expects HTML. */
  readonly html: boolean;
  readonly xml: XmlReader;
  /** Media types that its vendor promises, where that is not JSON alone. */
  readonly types?: ResponseShape['types'] | undefined;
  /** What the values of an answer may take in memory, in bytes; without it they are not weighed. */
  readonly mostWeight?: number | undefined;
}

/**
 * Read a successful answer in the form that the tool names, or by its Content-Type.
 *
 * @throws ToolError `upstream_error` when it is something else
 */
export function decode(answer: Answer, decoder: Decoder): Decoded {
  const found = decodeWhole(answer, decoder);
  if (answer.status !== 206 || found.kind === 'empty' || found.kind === 'binary') return found;
  if (found.kind === 'text' && decoder.html) return found;
  const value = found.kind === 'text' ? { text: found.text } : found.value;
  return { kind: 'value', value, remark: { ...found.remark, part: partial(answer.headers) } };
}

function decodeWhole(answer: Answer, decoder: Decoder): Decoded {
  const isEmpty = answer.body.length === 0 && answer.cut === undefined;
  if (isEmpty || answer.status === 204) return empty;
  const type = mediaType(answer.headers);
  const as = readAs(answer, type, decoder);
  // A page where data was expected: a login form, a proxy's notice, a block page.
  if (isHtmlType(type) && !decoder.html && as !== 'text' && as !== 'binary') {
    return dataIn(answer, decoder);
  }
  if (isEventStream(type) && as !== 'binary' && as !== 'xml') return streamOf(answer);
  if (isJsonSequence(type) && (as === undefined || as === 'json')) {
    const found = linesIn(answer, decoder);
    if (found !== undefined) return found;
  }
  switch (as) {
    case 'json':
      return jsonOrText(decodeGuessing(answer.body, answer.headers), decoder);
    case 'xml':
      return shallow(decoder.xml(light(xmlText(answer), weighXml, decoder)));
    case 'text':
    case 'csv':
      return textOrCut(answer);
    case 'binary':
      return (
        dataAsBytes(answer, type, decoder) ??
        pageAsFile(answer, type) ?? {
          kind: 'binary',
          mediaType: type,
          bytes: answer.body,
        }
      );
    case undefined:
      if (isBytes(answer, type)) {
        return { kind: 'binary', mediaType: type, bytes: answer.body };
      }
      if (answer.cut !== undefined) return textOrCut(answer);
      return sniff(decodeGuessing(answer.body, answer.headers), decoder);
  }
}

/** Data that a vendor sends as HTML, as PHP does where nobody says otherwise. */
function dataIn(answer: Answer, decoder: Decoder): Decoded {
  const found = sniff(decodeGuessing(answer.body, answer.headers), decoder);
  if (found.kind !== 'value') throw htmlPage(found.kind === 'text' ? found.text : '');
  return found;
}

/** JSON that a vendor sends as mere bytes where JSON alone is promised: a file would be no use. */
function dataAsBytes(answer: Answer, type: string, decoder: Decoder): Decoded | undefined {
  const isOther = decoder.as !== undefined || decoder.types !== undefined;
  if (isOther || type !== 'application/octet-stream' || answer.cut !== undefined) return undefined;
  const found = sniff(decodeGuessing(answer.body, answer.headers), decoder);
  return found.kind === 'value' ? found : undefined;
}

/** How pages begin, behind what may stand before them (MIME Sniffing, section 7.1). */
const pageBeginning = /^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)\b/i;

/** A page that is called a file of a kind that none is, as a proxy writes it without another type: a text. */
function pageAsFile({ body, headers }: Answer, type: string): Decoded | undefined {
  const isFile = formOf(type) === 'binary' && type !== 'application/octet-stream';
  const start = isFile ? body.subarray(0, errorBytes).toString('latin1') : '';
  if (!pageBeginning.test(start)) return undefined;
  const { text } = decodeGuessing(body, headers);
  const lost = `the vendor calls this ${toldType(type)}, but it is a page in HTML`;
  return { kind: 'text', text, remark: { lost } };
}

/** The events of a stream; a text where there are none. */
function streamOf(answer: Answer): Decoded {
  const isWhole = answer.cut === undefined;
  const { events, json } = parseEvents(decodeText(answer.body, answer.headers), isWhole);
  if (events.length === 0 && isWhole) return textOrCut(answer);
  const value = { events, ...(answer.cut && { truncated: true, hint: answer.cut }) };
  return shallow(value, lostNumbers(json));
}

/** The list that JSON texts one after the other are; nothing where they are none, or one over several lines. */
function linesIn({ body, headers, cut }: Answer, decoder: Decoder): Decoded | undefined {
  const read = decodeGuessing(body, headers);
  const text = light(read.text, weighJson, decoder);
  const found = readJsonLines(text, cut === undefined);
  if (found === undefined) return undefined;
  const list = shallow(found.values, lossOf(read, found.odd));
  if (cut === undefined || list.kind !== 'value') return list;
  return { ...list, remark: { ...list.remark, part: cut } };
}

function textOrCut({ body, headers, cut }: Answer): Decoded {
  const read = decodeGuessing(body, headers);
  if (cut === undefined) return asText(read);
  const { text } = read;
  return { kind: 'value', value: { text, truncated: true, hint: cut } };
}

/** A page or data in the place of a file is read as what it is, a file in that of a text, and JSON in that of XML. */
function readAs(answer: Answer, type: string, { as, types }: Decoder): Decoder['as'] {
  if (as === 'xml' && isJsonType(type)) return 'json';
  const isText = as === 'text' || as === 'csv';
  if (isText) return isFile(answer, type, types) ? 'binary' : as;
  if (as !== 'binary' || unpromisedType(answer.headers, { types }) === undefined)
    return as ?? formOf(type);
  return isHtmlType(type) ? 'text' : formOf(type);
}

/** A file where a text was expected: by a type that nobody promises, or by zeros, which no text holds. */
function isFile(answer: Answer, type: string, types: Decoder['types']): boolean {
  const saysFile = type !== 'application/octet-stream' && formOf(type) === 'binary';
  return saysFile
    ? unpromisedType(answer.headers, { types }) !== undefined
    : hasZeros(answer, type);
}

/** Read an unsuccessful answer as far as it goes: an error of its own helps nobody. */
export function decodeLeniently(answer: Answer, xml: XmlReader): unknown {
  const type = mediaType(answer.headers);
  if (isHtmlType(type)) return undefined;
  const start = { ...answer, body: answer.body.subarray(0, errorBytes) };
  const value = isXmlType(type)
    ? xmlOf(start, xml)
    : textOf(decodeText(start.body, start.headers), type);
  return nestedDeeperThan(value, mostLevels) ? undefined : value;
}

function xmlOf(answer: Answer, read: XmlReader): unknown {
  try {
    return read(xmlText(answer));
  } catch {
    return undefined;
  }
}

function textOf(text: string, type: string): unknown {
  const isWords = ['text/plain', ''].includes(type) || isJsonType(type);
  // What is called JSON may be a text, or be cut where it is long: its beginning says more than nothing.
  return tolerantJson(text)?.value ?? (isWords && !noText.test(text) ? text : undefined);
}

/** What shows that bytes are no text; the last character may be cut. */
const noText = /\0|\ufffd./s;

/** So much of a body is looked at to tell text from bytes. */
const looked = 64 * 1024;

/** Whether a body whose type says little is no text; one that names a charset is. */
function isBytes(answer: Answer, type: string): boolean {
  if (namesCharset(answer)) return false;
  if (hasZeros(answer, type)) return true;
  const { body } = answer;
  // Most types of applications are files. The last character may be cut.
  return type.startsWith('application/') && !isUtf8(body.subarray(0, looked)) && !isUtf8(body);
}

function namesCharset({ headers }: Answer): boolean {
  return /;\s*charset\s*=/i.test(headerOf(headers, 'content-type') ?? '');
}

function hasZeros(answer: Answer, type: string): boolean {
  const start = answer.body.subarray(0, looked);
  return start.includes(0) && !namesCharset(answer) && !isMarkedText(start, type);
}

/** UTF-16, which is full of zeros: where a text is announced, its byte order mark tells it. */
function isMarkedText([first, second]: Buffer, type: string): boolean {
  const isMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isMark && type.startsWith('text/');
}

function formOf(type: string): ResponseShape['decode'] {
  if (isJsonType(type)) return 'json';
  if (type === 'image/svg+xml') return 'text';
  if (isXmlType(type)) return 'xml';
  if (
    /^(?:image|audio|video|font)\/|^application\/(?:pdf|zip|gzip|x-tar|octet-stream)$/.test(type)
  ) {
    return 'binary';
  }
  return undefined;
}

/** A type such as text/plain says little: some vendors send JSON under it. */
function sniff(read: ReadText, decoder: Decoder): Decoded {
  const { text } = read;
  const start = text.trimStart().charAt(0);
  const looksLikeJson = !decoder.html && (start === '{' || start === '[');
  // Many lines of JSON are one text, however much they would be as values.
  const found = looksLikeJson && !isHeavy(text, decoder) ? tolerantJson(text) : undefined;
  return found === undefined ? asText(read) : shallow(found.value, lossOf(read, found.odd));
}

/** @throws ToolError where the values of a text would be more than a process can take */
function light(text: string, weigh: typeof weighJson, { mostWeight }: Decoder): string {
  if (mostWeight === undefined) return text;
  const { bytes, levels } = weigh(text, { bytes: mostWeight, levels: mostLevels });
  if (levels > mostLevels) throw tooDeep();
  if (bytes > mostWeight) throw tooHeavy(mostWeight);
  return text;
}

function isHeavy(text: string, { mostWeight }: Decoder): boolean {
  if (mostWeight === undefined) return false;
  return weighJson(text, { bytes: mostWeight, levels: mostLevels }).bytes > mostWeight;
}

/** What walks a value may recurse, and writing it as JSON takes time in the square of its depth. */
function shallow(value: unknown, loss: NumberLoss = {}): Decoded {
  if (nestedDeeperThan(value, mostLevels)) {
    throw tooDeep();
  }
  return { kind: 'value', value, ...(loss.lost && { remark: loss }) };
}

/** What reading JSON may have lost: letters of a charset that is guessed, and digits. */
function lossOf({ text, guessed }: ReadText, odd?: string): NumberLoss {
  const numbers = lostNumbers(text);
  const lost = [guessed && guess(guessed), numbers.lost, odd].filter(Boolean).join(', ');
  return lost === '' ? numbers : { ...numbers, lost };
}

function guess(charset: string): string {
  return `the answer is no UTF-8, names no charset and was read as ${charset}: its letters may be wrong`;
}

function tooDeep(): ToolError {
  return unreadable(`it is nested more than ${mostLevels} levels deep`);
}

/** Behind what a value of JSON ends that begins so. */
const ends: Readonly<Record<string, string>> = { '{': '}', '[': ']', '"': '"' };

/**
 * What came as JSON; a text where it is none but whole, such as `OK`, lines of JSON, or JSON with
 * a comma too many: the call has succeeded, and who reads `OK` knows.
 */
function jsonOrText(read: ReadText, decoder: Decoder): Decoded {
  const { text } = read;
  const found = tolerantJson(light(text, weighJson, decoder));
  if (found !== undefined) return shallow(found.value, lossOf(read, found.odd));
  if (/^\s*<(?:!doctype html|html|head|body)/i.test(text)) throw htmlPage(text);
  const said = text.trim();
  if (said === '') return empty;
  const end = ends[said.charAt(0)] ?? '';
  const isText = said.endsWith(end) && !noText.test(said.slice(0, looked));
  if (!isText) throw unreadable(`its JSON is broken or cut off: ${jsonFault(text)}`);
  return asText(read);
}

function asText({ text, guessed }: ReadText): Decoded {
  return { kind: 'text', text, ...(guessed && { remark: { lost: guess(guessed) } }) };
}

function xmlText(answer: Answer): string {
  return decodeText(answer.body, answer.headers, declaredEncoding(answer.body));
}

/** A login form, a notice of a proxy: its first words, which others wrote, say which. */
function htmlPage(html: string): ToolError {
  const words = pageWords(html);
  const said = words === undefined ? '' : `: ${words}`;
  return new ToolError(
    'upstream_error',
    `the vendor answered with an HTML page instead of data${said}`,
    { retryable: false, ...(words !== undefined && { untrusted: true }) },
  );
}
