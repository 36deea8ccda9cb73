import type { CuratedAuth } from '../../model/shape/curation.ts';

const credentialNames =
  /^(authorization|(x[-_])?(access|auth|api|private)[-_]?token|x?[-_]?api[-_]?key|token)$/i;

/** Whether a parameter of this name carries a credential, whatever the description says of it. */
export function isCredentialName(name: string): boolean {
  return credentialNames.test(name);
}

/** Tells the parameters that carry the credential, which the server adds by itself. */
export function credentialTest(auth: readonly CuratedAuth[]) {
  const own = new Set(auth.flatMap(({ name }) => (name === undefined ? [] : [name.toLowerCase()])));
  const isKeyless = auth.every(({ type }) => type === 'none');
  return ({ name, in: place }: Readonly<Record<string, unknown>>): boolean =>
    !isKeyless &&
    (place === 'query' || place === 'header') &&
    (own.has(String(name).toLowerCase()) || isCredentialName(String(name)));
}
