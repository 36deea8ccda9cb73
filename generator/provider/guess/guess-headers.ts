import { framingHeaders } from '#contract/text/field-value';
import {
  type ApiOperation,
  type ApiParameter,
  parametersOf,
} from '../../model/schema/api-operations.ts';
import type { CuratedAuth } from '../../model/shape/curation.ts';
import { namesSecret } from '../../model/texts/secret-text.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { mergedSchema } from '../examples/merged-schema.ts';
import type { GuessedAuth } from './auth-candidate.ts';
import { credentialTest } from './credential-names.ts';
import { versionIn } from './guess-version.ts';

/** What a tool sends for the headers that its operation demands. */
export interface GuessedHeaders {
  /** Always the same: the description allows one value, or names the usual one. */
  readonly constant: Readonly<Record<string, string>>;
  /** The caller decides. */
  readonly asked: readonly string[];
}

/** A parameter of this name says nothing (OpenAPI 3.1, parameter object), or comes with each request. */
const ignored = new Set(['content-type', 'authorization', ...framingHeaders]);

/** What a client of HTTP says of itself with each request. */
const ofClient = new Set(['accept-encoding', 'user-agent']);

/** The media type of JSON, which vendors give names of their own (RFC 6839 section 3.1). */
const json = /^application\/(?:[\w.-]+\+)?json\b[^,]*$/i;

/** What scripts of pages send, so that no form of another page passes for them: there is no other value. */
const ofScripts: ReadonlyMap<string, string> = new Map([['x-requested-with', 'XMLHttpRequest']]);

/** Decide for each required header whether it is a constant or an argument. */
export function guessHeaders(
  document: ApiDocument,
  operation: ApiOperation,
  { auth, headers = {} }: GuessedAuth,
  others: readonly CuratedAuth[] = [],
): GuessedHeaders {
  const isCredential = credentialTest([auth, ...others]);
  const sent = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const constant: Record<string, string> = {};
  const asked: string[] = [];
  for (const parameter of parametersOf(document, operation)) {
    const { in: place, name, required, node } = parameter;
    if (place !== 'header' || !required || isCredential(node)) continue;
    if (ignored.has(name.toLowerCase()) || sent.has(name.toLowerCase())) continue;
    const value = constantOf(document, parameter);
    if (name.toLowerCase() === 'accept') {
      // It says nothing either, but whoever demands it and names one value refuses others.
      if (value !== undefined && json.test(value)) constant['Accept'] = value;
      continue;
    }
    if (value !== undefined) constant[name] = value;
    else if (!ofClient.has(name.toLowerCase())) asked.push(name);
  }
  return { constant, asked };
}

/** What a required header says in each call: the one value it allows, its usual one, or a version. */
export function constantOf(document: ApiDocument, parameter: ApiParameter): string | undefined {
  const { name, node } = parameter;
  // What is called like a credential may stand in no file, whatever its only value is.
  if (namesSecret(name)) return undefined;
  const schema = mergedSchema(document, node['schema']);
  const told = onlyValue(schema) ?? versionIn(document, parameter);
  return told ?? (schema['enum'] === undefined ? ofScripts.get(name.toLowerCase()) : undefined);
}

function onlyValue(schema: Readonly<Record<string, unknown>>): string | undefined {
  const { const: one, enum: choices, default: usual } = schema;
  const only = Array.isArray(choices) && choices.length === 1 ? choices[0] : undefined;
  const value = one ?? only ?? usual;
  return isHeaderText(value) ? String(value) : undefined;
}

/** Field values are visible ASCII, with blanks inside (RFC 9110 section 5.5). */
function isHeaderText(value: unknown): boolean {
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
  return isScalar && /^[!-~]([ -~]*[!-~])?$/.test(String(value));
}
