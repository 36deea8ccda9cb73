import {
  type ApiOperation,
  type ApiParameter,
  parametersOf,
} from '../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { type Candidate, variableOf } from './auth-candidate.ts';
import { isCredentialName } from './credential-names.ts';
import { keyIn } from './security-schemes.ts';

/** What names whom a credential belongs to, and is always sent with it. */
const owners = /^x?[-_]?(?:user|account|client|app|application|org|organization)[-_]?id$/i;

/** Parameters of most operations that carry a credential by their names. */
export function parameterCredentials(
  document: ApiDocument,
  operations: readonly ApiOperation[],
  { id, env }: { readonly id: string; readonly env: readonly string[] },
): Candidate[] {
  const found = new Map<string, ApiParameter[]>();
  for (const operation of operations) {
    for (const parameter of parametersOf(document, operation)) {
      const { in: place, name } = parameter;
      if (place !== 'header' && place !== 'query') continue;
      const key = `${place} ${name.toLowerCase()}`;
      found.set(key, [...(found.get(key) ?? []), parameter]);
    }
  }
  const usual = [...found.values()].filter(({ length }) => length * 2 > operations.length);
  return usual.flatMap((parameters) => {
    const [first] = parameters;
    if (!first || !isCredentialName(first.name)) return [];
    const { name, in: place, node } = first;
    const votes = parameters.length;
    const text = String(node['description'] ?? node['example'] ?? '');
    const read = keyIn(place === 'query' ? 'query' : 'header', name, [text], env);
    const required = parameters.filter((parameter) => parameter.required).length * 2 > votes;
    const headers = ownersBeside(usual, votes, id);
    const isOptional = 'the description lets it be left out';
    const note = required ? read.note : [read.note, isOptional].filter(Boolean).join('; ');
    return [
      {
        ...{ title: name, votes, auth: { ...read.auth, required } },
        ...(note !== undefined && { note }),
        ...(Object.keys(headers).length > 0 && { headers }),
      },
    ];
  });
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
