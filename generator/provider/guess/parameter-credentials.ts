import { isObject } from '#contract/json';
import {
  type ApiOperation,
  type ApiParameter,
  parametersOf,
} from '../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { type Candidate, variableOf } from './auth-candidate.ts';
import { isCredentialName, isDemandedCredential, isVendorKey } from './credential-names.ts';
import { isSigned, keyIn, type ReadScheme } from './security-schemes.ts';

/** What names whom a credential belongs to, and is always sent with it. */
const owners = /^x?[-_]?(?:user|account|client|app|application|org|organization)[-_]?id$/i;

/** Operations of which each may take a header before it is more than a thing of one of them. */
const several = 2;

/**
 * Parameters of most operations that carry a credential by their names; where there are none, headers that
 * several may take, as frameworks write down what their handlers read.
 */
export function parameterCredentials(
  document: ApiDocument,
  operations: readonly ApiOperation[],
  { id, env }: { readonly id: string; readonly env: readonly string[] },
): Candidate[] {
  const found = new Map<string, ApiParameter[]>();
  for (const operation of operations) {
    for (const parameter of parametersOf(document, operation)) {
      const { in: place, name } = parameter;
      if (place !== 'header' && place !== 'query' && place !== 'cookie') continue;
      const key = `${place} ${name.toLowerCase()}`;
      found.set(key, [...(found.get(key) ?? []), parameter]);
    }
  }
  const all = [...found.values()];
  const usual = all.filter(({ length }) => length * 2 > operations.length);
  const candidates = candidatesAmong(usual, { id, env });
  if (candidates.length > 0) return candidates;
  const taken = all.filter(
    (parameters) =>
      parameters.length >= several &&
      parameters.every(({ in: place, required }) => place === 'header' && !required),
  );
  return candidatesAmong(taken, { id, env }).map((candidate) => {
    const few = `${candidate.votes} of ${operations.length} operations name it`;
    return { ...candidate, note: [candidate.note, few].filter(Boolean).join('; ') };
  });
}

function candidatesAmong(
  usual: readonly (readonly ApiParameter[])[],
  { id, env }: { readonly id: string; readonly env: readonly string[] },
): Candidate[] {
  return usual.flatMap((parameters) => {
    const [first] = parameters;
    const isCredential = (each: ApiParameter) =>
      isDemandedCredential(each) || (each.in !== 'cookie' && isNamedSo(each));
    const votes = parameters.length;
    const required = parameters.filter((parameter) => parameter.required).length * 2 > votes;
    const isOwn = required && first?.in === 'header' && isVendorKey(first.name);
    if (!first || !(isOwn || isCredential(first)) || isSignature(first)) return [];
    const read = schemeOfParameter(first, env);
    const headers = ownersBeside(usual, votes, id);
    const isOptional = 'the description lets it be left out';
    const note = required ? read.note : [read.note, isOptional].filter(Boolean).join('; ');
    return [
      {
        ...{ title: first.name, votes, auth: { ...read.auth, required } },
        ...(note !== undefined && { note }),
        ...(Object.keys(headers).length > 0 && { headers }),
      },
    ];
  });
}

function isNamedSo({ name, in: place }: ApiParameter): boolean {
  return isCredentialName(name, place);
}

/** Whether a parameter is worked out from each request. */
export function isSignature({ name, node }: ApiParameter): boolean {
  const schema = isObject(node['schema']) ? node['schema'] : {};
  return [node, schema].some((each) => isSigned({ ...each, name }));
}

/** A parameter as the security scheme that it should have been. */
export function schemeOfParameter(
  { name, in: place, node }: ApiParameter,
  env: readonly string[],
): ReadScheme {
  const schema = isObject(node['schema']) ? node['schema'] : {};
  const shown = isObject(node['examples']) ? Object.values(node['examples']) : [];
  const samples = [node, schema].flatMap(({ example, examples, const: one, default: usual }) => [
    ...[example, one, usual],
    ...(Array.isArray(examples) ? examples : []),
  ]);
  const examples = [...samples, ...shown.map((each) => (isObject(each) ? each['value'] : each))];
  const texts = [node['description'], schema['description'], node['summary']];
  const form = String(schema['pattern'] ?? '').replace(/^\^\(?/, '');
  return keyIn(
    place === 'query' || place === 'cookie' ? place : 'header',
    name,
    [...examples, form]
      .map((each) => wordBefore(each))
      .concat(texts.map((each) => String(each ?? ''))),
    env,
  );
}

/** The word that stands before a credential in an example or a pattern of it, as a text that shows it. */
function wordBefore(example: unknown): string {
  const [, word] =
    /^([A-Za-z][\w-]{1,30})(?:\s+|\\s[+*]?|\[ \][+*]?)\S/.exec(String(example ?? '')) ?? [];
  return word === undefined ? '' : `Authorization: ${word} x`;
}

/** Required headers of as many operations that name whose credential it is. */
function ownersBeside(
  usual: readonly (readonly ApiParameter[])[],
  votes: number,
  id: string,
): Record<string, string> {
  const beside = usual.flatMap((parameters) => {
    const [first] = parameters;
    const isOwner = first?.in === 'header' && first.required && owners.test(first.name);
    return first && isOwner && parameters.length === votes ? [first.name] : [];
  });
  return Object.fromEntries(beside.map((name) => [name, `{env:${variableOf(id, name)}}`]));
}
