import type { ProviderAuth } from '../../../../generated/surfaces/observability/types.ts';

/** Shorter ones are in too many texts that have nothing to do with them. */
const leastCharacters = 6;

/**
 * The same answer with dots where it repeats the credential it was asked with, as it is or as base64, in
 * a URL or in JSON: who may ask a back end may not know what this server proves itself with.
 */
export function concealCredential(
  body: Uint8Array,
  type: ProviderAuth['type'],
  credential: string,
): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const found = spellingsOf(type, credential).filter((each) => bytes.includes(each));
  if (found.length === 0) return body;
  return Buffer.from(found.reduce((text, each) => text.replaceAll(each, '…'), bytes.toString()));
}

/** The longest first, since one may hold another. */
function spellingsOf(type: ProviderAuth['type'], credential: string): readonly string[] {
  const values = [credential];
  if (type === 'basic') {
    const pair = Buffer.from(credential, 'base64').toString();
    values.push(pair, pair.slice(pair.indexOf(':') + 1));
  }
  // A header that holds a scheme as well: what follows it is what is secret.
  if (type === 'header') values.push(credential.slice(credential.lastIndexOf(' ') + 1));
  const all = values.flatMap((value) => [
    value,
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
    Buffer.from(value).toString('base64url'),
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
  ]);
  const long = [...new Set(all)].filter(({ length }) => length >= leastCharacters);
  return long.sort((a, b) => b.length - a.length);
}
