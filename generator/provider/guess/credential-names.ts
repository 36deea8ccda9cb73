import { isObject } from '#contract/json';
import type { CuratedAuth } from '../../model/shape/curation.ts';

const credentialNames =
  /^(?:authorization|(?:x[-_])?(?:access|auth|api|private)[-_]?token|token|(?:[\w-]*[-_])?(?:api|subscription)[-_]?key|apikey)$/i;

/** Whether a parameter of this name carries a credential, whatever the description says of it. */
export function isCredentialName(name: string): boolean {
  return credentialNames.test(name);
}

/** Tells the parameters that carry the credential, which the server adds by itself. */
export function credentialTest(auth: readonly CuratedAuth[]) {
  const own = new Set(auth.flatMap(({ name }) => (name === undefined ? [] : [name.toLowerCase()])));
  const isKeyless = auth.every(({ type }) => type === 'none');
  return (parameter: Readonly<Record<string, unknown>>): boolean => {
    const { in: place, required } = parameter;
    const name = String(parameter['name']);
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

function isSaidToBe({ description, schema }: Readonly<Record<string, unknown>>): boolean {
  const inner = isObject(schema) ? schema['description'] : undefined;
  return /authenticat|authoriz(?:ation|ed)|credential|api key|scope/i.test(
    `${description} ${inner}`,
  );
}
