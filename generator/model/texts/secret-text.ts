import { credentialIn, secretsIn as secretParts } from '#contract/secret-values';
import { escapeStep } from '../../read/text/json-pointer.ts';

/**
 * Names of headers, parameters and variables that hold a credential, or something near to one: here
 * a person looks at what is found, so that it may be too much.
 */
const secretName =
  /authorization|cookie|api[-_]?key|access[-_]?key|token|secret|passw(?:or)?d|credential/i;

/** Whether a text looks like a real credential. */
export function looksSecret(text: string): boolean {
  return credentialIn(text) !== undefined;
}

/** Whether something of this name should hold a credential. */
export function namesSecret(name: string): boolean {
  return secretName.test(name);
}

/** A text of a vendor without what looks like a real credential in it; the rest stays as it is. */
export function withoutSecrets(text: string): string {
  if (!looksSecret(text)) return text;
  let [plain, from] = ['', 0];
  for (const { start, end } of secretParts(text)) {
    plain += `${text.slice(from, start)}redacted`;
    from = end;
  }
  plain += text.slice(from);
  return looksSecret(plain) ? 'redacted' : plain;
}

/** The JSON pointers of the texts in a value that look like credentials. */
export function secretsIn(value: unknown, pointer = ''): string[] {
  if (typeof value === 'string') return looksSecret(value) ? [pointer] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    secretsIn(member, `${pointer}/${escapeStep(key)}`),
  );
}
