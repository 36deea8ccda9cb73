import { hash, randomBytes } from 'node:crypto';

/** Random bytes of each kind of identifier and secret; `reg` and `cla` are not secret. */
const bytes = {
  ...{ reg: 16, cla: 16, clm: 24, cvt: 24, art: 32, ort: 32, oac: 32, usr: 16, grt: 16 },
  // A request of a client that waits for a person.
  oar: 24,
  // A session, a sign-in and the browser in which it began.
  ...{ ses: 32, sgn: 24, brw: 24 },
};

export type SecretKind = keyof typeof bytes;

/** Make one of a kind: `clm_` and random bytes in base64url. */
export function makeSecret(kind: SecretKind): string {
  return `${kind}_${randomBytes(bytes[kind]).toString('base64url')}`;
}

const ownForm = new RegExp(`^(?:${Object.keys(bytes).join('|')})_`);

/** Whether a text looks like something that this server has made: nobody else must see that. */
export function looksOwn(text: string): boolean {
  return ownForm.test(text);
}

/** As what a secret is kept and looked up: its SHA-256 in base64url. */
export function secretHash(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
