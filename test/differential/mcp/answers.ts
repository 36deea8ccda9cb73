import { isObject } from '#contract/json';

/** What a client can tell from an answer, without the words that every server is free to choose. */
export interface Answer {
  /** Status, and error code or kind of result: `200 result`, `400 error -32020`, `202`. */
  readonly verdict: string;
  /** `json`, `events`, or nothing. */
  readonly way: string;
  /** Paths and types of everything in it. */
  readonly shape: ReadonlySet<string>;
}

/** Reduce an answer to what can be compared. */
export function answerOf(status: number, type: string, text: string): Answer {
  const message = messageIn(type, text);
  const stream = type.startsWith('text/event-stream') ? 'events' : 'json';
  return {
    verdict: `${status} ${kindOf(message)}`.trim(),
    way: text === '' ? 'nothing' : stream,
    shape: shapeOf(message),
  };
}

/** The parts of one shape that the other lacks, each way: `+path` and `-path`. */
export function shapeDifference(ours: Answer, theirs: Answer): readonly string[] {
  const more = [...ours.shape].filter((path) => !theirs.shape.has(path)).map((path) => `+${path}`);
  const less = [...theirs.shape].filter((path) => !ours.shape.has(path)).map((path) => `-${path}`);
  return [...more, ...less].sort();
}

function messageIn(type: string, text: string): unknown {
  if (text === '') return undefined;
  if (!type.startsWith('text/event-stream')) return JSON.parse(text);
  const events = text.split('\n\n').flatMap((event) => /^data: (.+)$/m.exec(event)?.[1] ?? []);
  return JSON.parse(events.at(-1) ?? 'null');
}

function kindOf(message: unknown): string {
  if (!isObject(message)) return '';
  const { error, result } = message;
  if (isObject(error)) return `error ${error['code']}`;
  if (!isObject(result)) return 'unknown';
  if (result['isError'] === true) return 'tool error';
  return result['resultType'] === 'input_required' ? 'input required' : 'result';
}

function shapeOf(message: unknown): ReadonlySet<string> {
  const paths = new Set<string>();
  collect(message, '', paths);
  return paths;
}

/** What every server words in its own way. */
const free = new Set(['.error.message', '.result.instructions', '.result.structuredContent']);

function collect(value: unknown, path: string, paths: Set<string>): void {
  if (free.has(path)) return;
  if (Array.isArray(value)) {
    for (const member of value) collect(member, `${path}[]`, paths);
    if (value.length === 0) paths.add(`${path}[] empty`);
    return;
  }
  if (!isObject(value)) {
    paths.add(`${path} ${value === null ? 'null' : typeof value}`);
    return;
  }
  for (const [key, member] of Object.entries(value)) collect(member, `${path}.${key}`, paths);
  if (Object.keys(value).length === 0) paths.add(`${path} {}`);
}
