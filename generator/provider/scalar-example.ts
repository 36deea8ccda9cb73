import { isSafePattern } from '../model/safe-pattern.ts';

type Node = Readonly<Record<string, unknown>>;

/** Strings of the formats that are checked, as their RFCs want them. */
const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'someone@example.org',
  hostname: 'example.org',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.org/',
  url: 'https://example.org/',
  'uri-reference': '/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/** Texts that the patterns of identifiers usually accept. */
const candidates = [
  'example',
  'EXAMPLE',
  'a1',
  'A1',
  'C0123456789',
  '1',
  '0123456789',
  '1234567890.123456',
  '2026-01-31',
  'a1b2c3d4e5f60718293a4b5c6d7e8f901234567a',
  'example/example',
  'https://example.org/',
];

/** Make a string, number, boolean or null that a schema accepts, as far as that can be guessed. */
export function scalarExample(type: string, node: Node): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      return numberExample(node, type === 'integer');
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'string':
      return stringExample(node);
    default:
      return {};
  }
}

function numberExample(node: Node, whole: boolean): number {
  const least = bound(node['minimum']) ?? afterBound(node['exclusiveMinimum'], 1, whole);
  const most = bound(node['maximum']) ?? afterBound(node['exclusiveMaximum'], -1, whole);
  const wanted = Math.min(Math.max(1, least ?? 1), most ?? Number.MAX_SAFE_INTEGER);
  const step = bound(node['multipleOf']);
  return step === undefined ? wanted : Math.ceil(wanted / step) * step;
}

function bound(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function afterBound(value: unknown, direction: 1 | -1, whole: boolean): number | undefined {
  return typeof value === 'number' ? value + direction * (whole ? 1 : 0.5) : undefined;
}

function stringExample(node: Node): string {
  const format = formats[String(node['format'])];
  const least = bound(node['minLength']) ?? 0;
  const most = bound(node['maxLength']) ?? Number.MAX_SAFE_INTEGER;
  const { pattern } = node;
  const texts = format === undefined ? candidates : [format, ...candidates];
  const fitting = texts.map((text) => text.padEnd(Math.min(least, 1000), 'x').slice(0, most));
  const [usual = ''] = fitting;
  // A pattern of a vendor may take ages on a text that it does not match.
  if (typeof pattern !== 'string' || !isSafePattern(pattern)) return usual;
  const expression = new RegExp(pattern);
  return fitting.find((text) => expression.test(text)) ?? usual;
}
