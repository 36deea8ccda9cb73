import { isObject } from '#contract/json';
import { isSafePattern } from '../../read/text/safe-pattern.ts';
import { cleanText } from './clean-text.ts';

type Node = Record<string, unknown>;

/** A schema of which some keywords have become words of its description. */
export interface Annotated {
  readonly node: Node;
  readonly description: string | undefined;
}

/**
 * Formats that are checked: those of JSON Schema (2020-12 validation, section 7.3), and those of
 * the OpenAPI registry that limit values. The others say nothing that could be checked.
 */
const knownFormats = new Set(
  `date-time date time duration email hostname ipv4 ipv6 uri uri-reference uri-template uuid
  json-pointer relative-json-pointer regex int32 int64`.split(/\s+/),
);

/** What depends on the names that patterns take. */
const memberKeywords = ['patternProperties', 'additionalProperties', 'unevaluatedProperties'];

/** Say in words what cannot stay as a keyword: odd formats, hard patterns, discriminators. */
export function annotate(node: Node): Annotated {
  const { format, pattern, discriminator } = node;
  const dropped = new Set(['description', 'discriminator']);
  const notes: string[] = [];
  const isUrl = format === 'url';
  if (format !== undefined && !(typeof format === 'string' && knownFormats.has(format))) {
    dropped.add('format');
  }
  if (pattern !== undefined && !isSafePattern(pattern)) {
    dropped.add('pattern');
    if (typeof pattern === 'string') notes.push(`Matches ${pattern}.`);
  }
  const { patternProperties } = node;
  const names = isObject(patternProperties) ? Object.keys(patternProperties) : [];
  if (!names.every(isSafePattern)) {
    // Without them, what else a member may be called cannot be said either.
    for (const keyword of memberKeywords) dropped.add(keyword);
    notes.push(`Names of members match ${names.join(' or ')}.`);
  }
  if (isObject(discriminator)) notes.push(...discriminatorNote(discriminator));
  const kept = without(node, dropped);
  // The name that many descriptions give to what JSON Schema calls "uri".
  const named = isUrl ? { ...kept, format: 'uri' } : kept;
  return { node: named, description: described(node['description'], notes) };
}

/** A description with sentences after it. */
export function described(description: unknown, notes: readonly string[]): string | undefined {
  const text = cleanText(description);
  if (notes.length === 0) return text;
  const end = text === undefined || /[.!?:]$/.test(text) ? '' : '.';
  return cleanText([`${text ?? ''}${end}`, ...notes].join(' ').trim());
}

function discriminatorNote({ propertyName, mapping }: Node): string[] {
  if (typeof propertyName !== 'string') return [];
  const values = isObject(mapping) ? Object.keys(mapping) : [];
  if (values.length === 0) return [`${propertyName} says which alternative it is.`];
  return [`${propertyName} says which alternative it is: ${values.slice(0, 20).join(', ')}.`];
}

function without(node: Node, dropped: ReadonlySet<string>): Node {
  return Object.fromEntries(Object.entries(node).filter(([keyword]) => !dropped.has(keyword)));
}
