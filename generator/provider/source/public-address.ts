import { isSecretName, secretIn } from '#contract/secret-values';

/**
 * An address as it may be written down and printed: without user, password, query and fragment. What
 * carries a credential has many names.
 */
export function publicAddress(url: URL): URL {
  const address = new URL(url);
  address.username = '';
  address.password = '';
  address.search = '';
  address.hash = '';
  return address;
}

/** Whether an address in a text holds a user, a password, or a parameter with a credential. */
export function holdsCredential(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  if (url.username !== '' || url.password !== '') return true;
  return [...url.searchParams].some(([name, value]) => isCredential(name, value));
}

/** A long run of letters and digits in which both are mixed is no word. */
function isCredential(name: string, value: string): boolean {
  const looksRandom = /^(?=.*\d)(?=.*[a-z])[\w~.+/=-]{20,}$/i.test(value);
  return value !== '' && (isSecretName(name) || secretIn(value) !== undefined || looksRandom);
}
