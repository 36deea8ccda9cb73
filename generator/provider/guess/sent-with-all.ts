import { isObject } from '#contract/json';
import {
  type ApiOperation,
  type ApiParameter,
  parametersOf,
} from '../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { mergedSchema } from '../examples/merged-schema.ts';
import { type GuessedAuth, variableOf } from './auth-candidate.ts';
import { isDemandedCredential } from './credential-names.ts';
import { isSignature } from './parameter-credentials.ts';

/** What names whom a credential belongs to: whoever has the one knows the other. */
const owners =
  /^(?:x[-_])?(?:\w+[-_])?(?:user|account|client|consumer|merchant|tenant|app|application|org|organi[sz]ation)[-_]?id$/i;

/** Demanded by so large a share of the operations, a header belongs to the account and not to a call. */
const most = 0.9;

/**
 * Headers that nearly all operations demand and that are no choice of a caller: other keys that the
 * description declares or that are some by their names, and whose account it is, each from a variable
 * of its own, and the version of the API.
 */
export function sentWithAll(
  document: ApiDocument,
  operations: readonly ApiOperation[],
  { id, auth, headers = {} }: Pick<GuessedAuth, 'auth' | 'headers'> & { readonly id: string },
): Record<string, string> {
  const keys = declaredKeys(document);
  const sent = new Set([auth.name ?? 'Authorization', ...Object.keys(headers)].map(lower));
  const demands = new Map<string, { readonly name: string; value: string; count: number }>();
  for (const operation of operations) {
    for (const parameter of parametersOf(document, operation)) {
      const { in: place, name, required, node } = parameter;
      if (place !== 'header' || !required || sent.has(lower(name))) continue;
      const isSecret = keys.has(lower(name)) || isOtherKey(parameter);
      const isKey = isSecret && /^[\w-]+$/.test(name);
      const schema = mergedSchema(document, node['schema']);
      const version = isKey ? undefined : versionShown(parameter, schema);
      if (!isKey && version === undefined && !owners.test(name)) continue;
      const { const: one, default: usual, enum: choices } = schema;
      if ([one, usual, choices].some((value) => value !== undefined)) continue;
      const known = demands.get(lower(name));
      const value = version ?? `{env:${variableOf(id, name)}}`;
      if (known) known.count += 1;
      else demands.set(lower(name), { name, value, count: 1 });
    }
  }
  const usual = [...demands.values()].filter(({ count }) => count >= most * operations.length);
  return Object.fromEntries(usual.map(({ name, value }) => [name, value]));
}

/** The version of the API that a header shows as its example: of a thing it would not stand everywhere. */
function versionShown(
  { name, node }: ApiParameter,
  schema: Readonly<Record<string, unknown>>,
): string | undefined {
  if (!/[-_]version$/i.test(name)) return undefined;
  const listed = Array.isArray(schema['examples']) ? schema['examples'] : [];
  return [node['example'], node['x-example'], schema['example'], ...listed].find(
    (value): value is string => typeof value === 'string' && /^v?\d[\w.-]{0,39}$/i.test(value),
  );
}

/** The headers that are keys by what the description declares. */
function declaredKeys({ root }: ApiDocument): ReadonlySet<string> {
  const schemes = Object.values(root.components?.['securitySchemes'] ?? {}).filter(isObject);
  return new Set(
    schemes.flatMap(({ type, in: place, name }) =>
      type === 'apiKey' && place === 'header' ? [lower(String(name))] : [],
    ),
  );
}

/** Before the word in `Authorization` there may be another, which a variable does not tell. */
function isOtherKey(parameter: ApiParameter): boolean {
  const isPlain = !/^authorization$/i.test(parameter.name) && !isSignature(parameter);
  return isPlain && isDemandedCredential(parameter);
}

function lower(name: string): string {
  return name.toLowerCase();
}
