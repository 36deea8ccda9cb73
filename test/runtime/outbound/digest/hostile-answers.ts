/** Bytes of an answer that the server takes in. */
export const mostBytes = 8 * 1024 * 1024;

export interface HostileAnswer {
  readonly type: string;
  /** Parts of the body: what comes first, what is repeated until the answer is as large as it may be, the end. */
  readonly start: string;
  readonly part: (index: number) => string;
  readonly end: string;
  /** What the tool says of it. */
  readonly told: RegExp;
  /** How it is written, where that is not UTF-8, and it does not say so. */
  readonly charset?: BufferEncoding;
}

const json = 'application/json';
const tooMuch = /response_too_large: the answer holds so many values/;
const cut = /"truncated":true/;
const tooDeep = /nested more than 200 levels/;

/** What a vendor may send to harm whoever reads it, each as large as it may be. */
export const hostileAnswers: Readonly<Record<string, HostileAnswer>> = {
  'empty objects': { type: json, start: '[{}', part: () => ',{}', end: ']', told: tooMuch },
  'empty arrays in an object': {
    ...{ type: json, start: '{"a":[[]', part: () => ',[]', end: ']}', told: tooMuch },
  },
  'short names': {
    type: json,
    start: '{"a":1',
    part: (index) => `,"${index.toString(36)}":1`,
    end: '}',
    told: tooMuch,
  },
  'objects of a layout each': {
    type: json,
    start: '[0',
    part: (index) => `,{"${index.toString(36)}":1}`,
    end: ']',
    told: tooMuch,
  },
  'names that are numbers': {
    type: json,
    start: '[0',
    part: () => ',{"4000000":1}',
    end: ']',
    told: tooMuch,
  },
  'deep nesting': { type: json, start: '', part: () => '[', end: '', told: tooDeep },
  'short texts': {
    type: json,
    start: '["a"',
    part: (index) => `,"${index.toString(36)}"`,
    end: ']',
    told: tooMuch,
  },
  'numbers beyond all numbers': {
    ...{ type: json, start: '[1', part: () => ',1e999', end: ']', told: cut },
  },
  'one huge number': { type: json, start: '{"id":1', part: () => '9', end: '}', told: /"id":null/ },
  'one huge text': { type: json, start: '{"id":"', part: () => 'x', end: '"}', told: cut },
  'one text of escapes': {
    ...{ type: json, start: '{"id":"', part: () => '\\u0000', end: '"}', told: cut },
  },
  'lines of JSON': {
    ...{ type: 'application/x-ndjson', start: '', part: () => '{}\n', end: '', told: tooMuch },
  },
  'empty elements': {
    ...{ type: 'application/xml', start: '<a>', part: () => '<b/>', end: '</a>', told: tooMuch },
  },
  'attributes without end': {
    type: 'application/xml',
    start: '<a',
    part: (index) => ` b${index.toString(36)}=""`,
    end: '/>',
    told: tooMuch,
  },
  'references of XML': {
    ...{ type: 'application/xml', start: '<a>', part: () => '&#65;', end: '</a>', told: tooMuch },
  },
  'letters of another charset': {
    ...{ type: json, start: '["é', part: () => 'é', end: '"]', told: cut, charset: 'latin1' },
  },
  'small values in another charset': {
    ...{ type: json, start: '["é"', part: () => ',[]', end: ']', told: tooMuch, charset: 'latin1' },
  },
  'zeros between all letters': {
    ...{ type: json, start: '[[]', part: () => ',[]', end: ']', told: tooMuch, charset: 'utf16le' },
  },
  'a long text': { type: 'text/plain', start: '', part: () => 'x', end: '', told: cut },
};

/** Write an answer out. */
export function written({ start, part, end, charset = 'utf8' }: HostileAnswer): Buffer {
  const room = mostBytes / (charset === 'utf16le' ? 2 : 1) - end.length;
  const parts: string[] = [start];
  let length = start.length;
  for (let index = 0; ; index += 1) {
    const next = part(index);
    length += next.length;
    if (length > room) break;
    parts.push(next);
  }
  return Buffer.from(parts.join('') + end, charset);
}
