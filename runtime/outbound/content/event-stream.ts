import { tolerantJson } from './json/exact-json.ts';

/** One event, with what the stream said of it. */
interface StreamEvent {
  readonly event?: string;
  readonly id?: string;
  /** JSON as its value, anything else as its text. */
  readonly data: unknown;
}

interface EventsOf {
  readonly events: readonly StreamEvent[];
  /** What of them was read as JSON. */
  readonly json: string;
}

/**
 * The events of a stream (HTML, 9.2.6).
 *
 * @param isWhole it has ended: then its last event counts without its empty line, too, because many
 *   servers end with their last word
 */
export function parseEvents(text: string, isWhole: boolean): EventsOf {
  const events: StreamEvent[] = [];
  const json: string[] = [];
  const blocks = text.replace(/^\ufeff/, '').split(/(?:\r\n|\n|\r)(?:\r\n|\n|\r)+/);
  for (const block of isWhole ? blocks : blocks.slice(0, -1)) {
    const event = eventOf(block, json);
    if (event !== undefined) events.push(event);
  }
  return { events, json: json.join('\n') };
}

function eventOf(block: string, json: string[]): StreamEvent | undefined {
  const data: string[] = [];
  let event: string | undefined;
  let id: string | undefined;
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, field, value = ''] = /^(data|event|id)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id') id = value;
  }
  if (data.length === 0) return undefined;
  return {
    ...(event && { event }),
    ...(id !== undefined && { id }),
    data: dataOf(data.join('\n'), json),
  };
}

function dataOf(text: string, json: string[]): unknown {
  const found = tolerantJson(text);
  if (found === undefined) return text;
  json.push(text);
  return found.value;
}
