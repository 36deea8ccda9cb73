import { isObject } from '#contract/json';
import type { ApiParameter } from '../../model/schema/api-operations.ts';
import type { CuratedAuth } from '../../model/shape/curation.ts';

const credentialNames =
  /^(?:authorization|(?:x[-_])?(?:access|auth|api|private)[-_]?token|token|(?:[\w-]*[-_])?(?:api|subscription)[-_]?key|apikey)$/i;

/** Whether a parameter of this name carries a credential, whatever the description says of it. */
export function isCredentialName(name: string): boolean {
  return credentialNames.test(name);
}

/** What servers call the cookie of somebody who has logged in. */
const cookieNames =
  /(?:^|[-_.])(?:s?sid|sess(?:ion)?|auth\w*|token|jwt)(?:$|[-_.])|session|token|apikey/i;

/**
 * Whether a parameter that an operation demands is a credential by its name, or in the address by
 * what is said of it.
 */
export function isDemandedCredential({ in: place, name, required, node }: ApiParameter): boolean {
  if (!required) return false;
  if (place === 'cookie') return cookieNames.test(name);
  if (place !== 'header' && place !== 'query') return false;
  const isUnclear = place === 'query' && /^token$/i.test(name);
  return isCredentialName(name) && (!isUnclear || isSaidToBe(node));
}

/** Tells the parameters that carry the credential, which the server adds by itself. */
export function credentialTest(auth: readonly CuratedAuth[]) {
  const own = new Set(auth.flatMap(namesIn));
  const cookies = auth.flatMap(({ in: place, name }) => (place === 'cookie' ? [name] : []));
  const isKeyless = auth.every(({ type }) => type === 'none');
  return (parameter: Readonly<Record<string, unknown>>): boolean => {
    const { in: place, required } = parameter;
    const name = String(parameter['name']);
    if (place === 'cookie') return cookies.includes(name);
    if (isKeyless || (place !== 'query' && place !== 'header')) return false;
    if (own.has(name.toLowerCase())) return true;
    // What an operation demands beside the credential that is sent, its caller has to know.
    const isOther =
      place === 'header' && required === true && !/^(?:authorization|token)$/i.test(name);
    if (isOther) return false;
    // A token that has to stand in the address is that of an invitation as often as that of a caller.
    const isUnclear = place === 'query' && required === true && /^token$/i.test(name);
    return isCredentialName(name) && (!isUnclear || isSaidToBe(parameter));
  };
}

/** What a credential and the keys that come with it are called, in lower case. */
function namesIn({ name, headers, query }: CuratedAuth): string[] {
  const all = [
    ...(name === undefined ? [] : [name]),
    ...Object.keys(headers ?? {}),
    ...Object.keys(query ?? {}),
  ];
  return all.map((each) => each.toLowerCase());
}

function isSaidToBe({ description, schema }: Readonly<Record<string, unknown>>): boolean {
  const inner = isObject(schema) ? schema['description'] : undefined;
  return /authenticat|authoriz(?:ation|ed)|credential|api key|scope/i.test(
    `${description} ${inner}`,
  );
}
