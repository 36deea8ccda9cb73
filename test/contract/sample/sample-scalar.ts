import { sample, stringMatching } from 'fast-check';
import { withoutLookArounds } from '../../../generator/read/text/pattern/look-arounds.ts';
import type { Node } from './flat-schema.ts';
import type { Sampling } from './sample-value.ts';

const longest = 300;
/** What has to be encoded in addresses and forms, and what is more than one byte. */
const oddText = 'é ü&=?#+%';

/** Texts of the formats that are checked, as their RFCs want them. */
const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'someone@example.org',
  'idn-email': 'someone@example.org',
  hostname: 'example.org',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.org/a?b=c',
  url: 'https://example.org/a?b=c',
  iri: 'https://example.org/a',
  'uri-reference': '/a',
  'uri-template': '/a/{b}',
  'json-pointer': '/a/b',
  'relative-json-pointer': '0/a',
  regex: 'a+',
  uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  byte: 'aGVsbG8gd29ybGQ=',
  int32: '7',
  int64: '7',
  float: '7.5',
  double: '7.5',
};

/** A number inside of its bounds: at one of them for edges. */
export function sampleNumber(node: Node, sampling: Sampling, whole: boolean): number {
  const step = bound(node['multipleOf']);
  const least = bound(node['minimum']) ?? beyond(node['exclusiveMinimum'], 1, whole);
  const most = bound(node['maximum']) ?? beyond(node['exclusiveMaximum'], -1, whole);
  const usual = 7 + (sampling.count++ % 90);
  const wanted = sampling.extent === 'edges' ? (most ?? least ?? usual) : usual;
  const inside = Math.min(Math.max(wanted, least ?? wanted), most ?? Number.MAX_SAFE_INTEGER);
  if (step === undefined) return whole ? Math.round(inside) : inside;
  const down = exact(Math.floor(exact(inside / step)) * step);
  return least !== undefined && down < least ? exact(Math.ceil(exact(inside / step)) * step) : down;
}

/** A number without what is left of a division in binary. */
function exact(value: number): number {
  return Number(value.toPrecision(12));
}

function bound(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function beyond(value: unknown, direction: 1 | -1, whole: boolean): number | undefined {
  return typeof value === 'number' ? value + direction * (whole ? 1 : 0.5) : undefined;
}

/** What is told in the place of a list of values that is too long (`withFewerValues`). */
const toldValues = /^One of [\d,]+ values, such as (.*?)\.(?: |$)/m;

/** A text as its format and pattern want it, different from the others where nothing is asked for. */
export function sampleText(node: Node, sampling: Sampling): string {
  const { format, pattern, minLength, maxLength, contentEncoding } = node;
  const told = toldValues.exec(String(node['description']))?.[1]?.split(', ');
  const example = told?.at(sampling.extent === 'edges' ? -1 : 0);
  if (example !== undefined) return example;
  const least = Math.min(bound(minLength) ?? 0, longest);
  const most = bound(maxLength) ?? longest;
  if (contentEncoding === 'base64') return 'aGVsbG8gd29ybGQ=';
  const known = formats[String(format)];
  const own = `t${(sampling.count++).toString(36)}${sampling.extent === 'edges' ? oddText : 'x'}`;
  const usual = known ?? own.padEnd(least, 'x').slice(0, most);
  if (typeof pattern !== 'string') return usual;
  const isFit = (text: string) => text.length >= least && text.length <= most;
  const texts = [
    usual,
    usual.replaceAll(/[^ -~]/g, ''),
    'example',
    String(sampling.count),
    ...matching(pattern, sampling.attempt),
    // Of a pattern without an end, few texts are as long as is asked for.
    ...matching(pattern.replace(/[+*](?=\)?\$?$)/, `{${least},${most}}`), sampling.attempt),
  ];
  const rule = expression(pattern);
  return texts.find((text) => isFit(text) && rule?.test(text) !== false) ?? usual;
}

/** Texts that match a pattern, plain ones first, the same in every run. */
function matching(pattern: string, seed: number): readonly string[] {
  const rule = expression(pattern);
  if (!rule) return [];
  try {
    const made = new RegExp(withoutLookArounds(rule.source), rule.flags);
    const texts = sample(stringMatching(made), { seed: seed + 1, numRuns: 50 });
    const plain = (text: string) => /^[A-Za-z0-9._/:-]+$/.test(text);
    return texts.toSorted((a, b) => Number(plain(b)) - Number(plain(a)) || a.length - b.length);
  } catch {
    // It has features that only a matcher understands.
    return [];
  }
}

function expression(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // No regular expression in this mode.
    }
  }
  return undefined;
}
