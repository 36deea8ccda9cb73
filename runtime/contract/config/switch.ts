import { cidrInstead } from './cidr.ts';

/** What a switch is: how its text is read, what is allowed and what holds without it. */
export type Switch =
  | {
      readonly type: 'string';
      readonly env: string;
      readonly default?: string;
      /** Regular expression that the whole text must match, and the same in words. */
      readonly pattern?: string;
      readonly expects?: string;
    }
  | ({ readonly type: 'integer' } & Bounded)
  | ({ readonly type: 'duration' } & Bounded)
  | { readonly type: 'boolean'; readonly env: string; readonly default?: boolean }
  | {
      readonly type: 'enum';
      readonly env: string;
      readonly values: readonly string[];
      readonly default?: string;
    }
  | { readonly type: 'url' | 'path'; readonly env: string; readonly default?: string }
  | {
      readonly type: 'list' | 'cidr_list';
      readonly env: string;
      readonly default?: readonly string[];
    }
  | { readonly type: 'secret'; readonly env: string };

/** Numbers; durations are in milliseconds. */
interface Bounded {
  readonly env: string;
  readonly default?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The value of a text, or what was expected instead. */
export type Parsed =
  | { readonly value: unknown }
  | { readonly expected: string; readonly received?: string };

/** Read the text of one switch. */
export function parseSwitch(entry: Exclude<Switch, { type: 'secret' }>, text: string): Parsed {
  switch (entry.type) {
    case 'string':
      return entry.pattern === undefined || new RegExp(`^(?:${entry.pattern})$`).test(text)
        ? { value: text }
        : { expected: entry.expects ?? `text that matches ${entry.pattern}` };
    case 'integer':
      return /^-?\d{1,15}$/.test(text)
        ? within(entry, Number(text), 'a whole number', String)
        : { expected: `a whole number${range(entry, String)}` };
    case 'duration': {
      const milliseconds = parseDuration(text);
      return milliseconds === undefined
        ? { expected: `a duration such as 500ms, 10s or 5m${range(entry, formatDuration)}` }
        : within(entry, milliseconds, 'a duration', formatDuration);
    }
    case 'boolean':
      return parseBoolean(text);
    case 'enum':
      return entry.values.includes(text)
        ? { value: text }
        : { expected: `one of ${entry.values.join(', ')}` };
    case 'url':
      return parseUrl(text);
    case 'path':
      return text.includes('\0') ? { expected: 'a path' } : { value: text };
    case 'list': {
      const members = parseList(text);
      return members.length > 0
        ? { value: members }
        : { expected: 'one or more names, separated by commas' };
    }
    case 'cidr_list':
      return parseCidrs(text);
  }
}

function within(
  bounds: Bounded,
  value: number,
  noun: string,
  format: (value: number) => string,
): Parsed {
  const { minimum = -Infinity, maximum = Infinity } = bounds;
  if (value >= minimum && value <= maximum) return { value };
  return { expected: `${noun}${range(bounds, format)}` };
}

function range({ minimum, maximum }: Bounded, format: (value: number) => string): string {
  if (minimum !== undefined && maximum !== undefined) {
    return ` from ${format(minimum)} to ${format(maximum)}`;
  }
  if (minimum !== undefined) return `, at least ${format(minimum)}`;
  return maximum === undefined ? '' : `, at most ${format(maximum)}`;
}

const units: readonly (readonly [name: string, milliseconds: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
];

/** Read `500ms`, `10s`, `5m`, `2h` or `1d` as milliseconds. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text);
  const unit = units.find(([name]) => name === match?.[2]);
  return match && unit ? Number(match[1]) * unit[1] : undefined;
}

/** Write milliseconds in the largest unit that leaves no rest. */
export function formatDuration(milliseconds: number): string {
  const [name, size] = units.find((unit) => milliseconds % unit[1] === 0) ?? ['ms', 1];
  return milliseconds === 0 ? '0s' : `${milliseconds / size}${name}`;
}

function parseBoolean(text: string): Parsed {
  if (/^(1|true|yes|on)$/i.test(text)) return { value: true };
  if (/^(0|false|no|off)$/i.test(text)) return { value: false };
  return { expected: '1, true, yes or on, or else 0, false, no or off' };
}

function parseUrl(text: string): Parsed {
  const expected = 'an http or https URL without user name, query or fragment';
  const url = URL.parse(text);
  if (url?.username || url?.password) return { expected, received: 'a URL with a credential' };
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) return { expected };
  return { value: url.href.replace(/\/+$/, '') };
}

function parseList(text: string): readonly string[] {
  return text
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
}

function parseCidrs(text: string): Parsed {
  const members = parseList(text);
  for (const member of members) {
    const expected = cidrInstead(member);
    if (expected !== undefined) return { expected, received: JSON.stringify(member.slice(0, 80)) };
  }
  return { value: members };
}
