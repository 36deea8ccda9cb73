import {
  CHOMPING_MODE,
  COLLECTION_STYLE,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from 'js-yaml';
import { bareMap } from '../../document/bare-map.ts';
import { NotQuick, notQuick, plainValue } from './quick-value.ts';
import { offsetIn, type Place } from './yaml-place.ts';

/** What a text of YAML says, and where. */
export interface QuickYaml {
  readonly value: unknown;
  /** Offset of the key (in a list: of the item) at `path`, or of its nearest ancestor. */
  offsetOf(path: readonly string[]): number;
}

/**
 * What the two readers take differently: a return without a line feed, byte order marks, marks of
 * documents, directives, and tabs that begin a line.
 */
const disputed = /\r(?!\n)|\ufeff|^(?:---|\.\.\.|%| *\t)/m;

/** The same within quotes: an empty line behind an escaped break, and escapes beyond Unicode. */
const disputedEscape = /\\\r?\n[ \t]*\r?\n|\\U(?!00(?:0|10))/;

/** Length of a key from which on the whole reader looks whether it is too long. */
const quickKeyLength = 1_000;
const none = -1;

interface Cursor {
  readonly text: string;
  readonly events: readonly Event[];
  /** The next event. */
  at: number;
  /** The place of the list or map that was read last; nothing behind another value. */
  place: Place | undefined;
}

/**
 * Read YAML with a reader of a tenth of the whole one's time. Where the two may differ, or where
 * there is something to say (anchors, tags, merges, keys that stand twice, numbers without a form
 * in JSON, anything wrong), it gives nothing: then the whole reader tells what the text says.
 */
export function readQuickYaml(text: string): QuickYaml | undefined {
  const start = /^---\r?\n/.test(text) ? 3 : 0;
  if (text.startsWith(' ') || disputed.test(text.slice(start))) return undefined;
  try {
    const cursor: Cursor = { text, events: parseEvents(text, {}), at: 1, place: undefined };
    const value = readNode(cursor);
    const root = cursor.place;
    // The end of the one document, and values that are more than a text.
    if (cursor.at !== cursor.events.length - 1 || root === undefined) return undefined;
    return { value, offsetOf: (path) => offsetIn(root, path) };
  } catch (cause) {
    if (cause instanceof NotQuick || cause instanceof YAMLException) return undefined;
    throw cause;
  }
}

function readNode(cursor: Cursor): unknown {
  const event = cursor.events[cursor.at++];
  cursor.place = undefined;
  switch (event?.type) {
    case EVENT_ID.SCALAR:
      if (hasProperties(event)) notQuick('tag or anchor');
      return scalarValue(cursor.text, event);
    case EVENT_ID.MAPPING: {
      if (hasProperties(event)) notQuick('tag or anchor');
      const isFlow = event.style === COLLECTION_STYLE.FLOW;
      if (isFlow && cursor.text.charAt(event.start) !== '{') notQuick('pair in a list');
      return readMap(cursor, event.start, isFlow);
    }
    case EVENT_ID.SEQUENCE:
      if (hasProperties(event)) notQuick('tag or anchor');
      return readList(cursor, event.start, event.style === COLLECTION_STYLE.FLOW);
    default:
      return notQuick('alias, or no value');
  }
}

function hasProperties({ anchorStart, tagStart }: { anchorStart: number; tagStart: number }) {
  return anchorStart !== none || tagStart !== none;
}

function scalarValue(text: string, event: ScalarEvent): unknown {
  if (event.style === SCALAR_STYLE.PLAIN) return plainValue(getScalarValue(text, event));
  if (isQuoted(event)) return quotedValue(text, event);
  const value = getScalarValue(text, event);
  const isEmpty = value === '' && event.chomping === CHOMPING_MODE.KEEP;
  // Lines of spaces at the end, or nothing else.
  const rest = value.slice(value.trimEnd().length);
  const isBlank = isEmpty || (rest === value && rest !== '') || /\n[ \t]/.test(rest);
  const isOpen = event.valueEnd === text.length && text.endsWith(' ');
  return isBlank || isOpen ? notQuick('spaces') : value;
}

function quotedValue(text: string, event: ScalarEvent): string {
  const { style, valueStart, valueEnd } = event;
  const isDouble = style === SCALAR_STYLE.DOUBLE_QUOTED;
  const isDisputed = isDouble && disputedEscape.test(text.slice(valueStart, valueEnd));
  return isDisputed ? notQuick('escape') : getScalarValue(text, event);
}

function readMap(cursor: Cursor, start: number, isFlow: boolean): Record<string, unknown> {
  const { text, events } = cursor;
  const map: Record<string, unknown> = bareMap();
  const place: Place = { start, parts: [] };
  const column = isFlow ? 0 : columnOf(text, start);
  for (let key = nextPart(cursor); key !== undefined; key = nextPart(cursor)) {
    if (key.type !== EVENT_ID.SCALAR || hasProperties(key)) return notQuick('kind of key');
    const name = keyOf(text, key);
    const at = startOf(text, key);
    if (name in map || name === '<<') notQuick('key');
    // Behind the last item of a list that stands as far left as its key, anything is taken.
    if (!isFlow && columnOf(text, at) !== column) notQuick('key behind a value');
    cursor.at++;
    const value = events[cursor.at];
    if (value?.type === EVENT_ID.SCALAR) checkComments(text, key.valueEnd, value, isFlow);
    map[name] = readNode(cursor);
    place.parts.push(name, at, cursor.place);
  }
  cursor.place = place;
  return map;
}

function keyOf(text: string, key: ScalarEvent): string {
  const isShort = key.valueEnd - key.valueStart <= quickKeyLength;
  if (key.valueStart === none || !isShort) notQuick('kind of key');
  if (isQuoted(key)) return quotedValue(text, key);
  return key.style === SCALAR_STYLE.PLAIN ? getScalarValue(text, key) : notQuick('kind of key');
}

function readList(cursor: Cursor, start: number, isFlow: boolean): unknown[] {
  const { text } = cursor;
  const list: unknown[] = [];
  const place: Place = { start, parts: [] };
  for (let item = nextPart(cursor); item !== undefined; item = nextPart(cursor)) {
    const at = startOf(text, item);
    if (item.type === EVENT_ID.SCALAR) {
      // Whether a comment stands between it and its dash is not looked for.
      if (at < 0 || (!isFlow && beginsLine(text, at))) notQuick('item');
      checkComments(text, at, item, isFlow);
    }
    list.push(readNode(cursor));
    place.parts.push(list.length - 1, at, cursor.place);
  }
  cursor.place = place;
  return list;
}

/** The event that begins the next part of a map or list; nothing behind the last one. */
function nextPart(cursor: Cursor): Event | undefined {
  const event = cursor.events[cursor.at];
  if (event?.type !== EVENT_ID.POP) return event;
  cursor.at++;
  return undefined;
}

/** Leave what has a comment before it, or in brackets behind it: the whole reader minds where. */
function checkComments(text: string, from: number, value: ScalarEvent, isFlow: boolean): void {
  if (value.valueStart === none) return;
  if (text.slice(from, value.valueStart).includes('#')) notQuick('comment before a text');
  furtherComment.lastIndex = value.valueEnd;
  if (isFlow && furtherComment.test(text)) notQuick('comment in brackets');
}

const furtherComment = /[ \t\r]*\n\s*#/y;

function isQuoted({ style }: ScalarEvent): boolean {
  return style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
}

/** Where a value begins: a text with its quote, or with the sign before its lines; negative where none stands. */
function startOf(text: string, event: Event): number {
  if (event.type !== EVENT_ID.SCALAR) return 'start' in event ? event.start : none;
  const { style, valueStart } = event;
  if (style === SCALAR_STYLE.PLAIN) return valueStart;
  if (isQuoted(event)) return valueStart - 1;
  const line = text.lastIndexOf('\n', valueStart - 2) + 1;
  return line + text.slice(line, valueStart).search(/[|>]/);
}

function columnOf(text: string, at: number): number {
  return at - text.lastIndexOf('\n', at - 1);
}

function beginsLine(text: string, at: number): boolean {
  return text.slice(at - columnOf(text, at) + 1, at).trim() === '';
}
