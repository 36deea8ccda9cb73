/** The forms that vendors give their credentials. */
const tokenForm =
  /\b(?:(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{8,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|xox[abeoprs]-[A-Za-z0-9-]{8,}|lin_api_[A-Za-z0-9]{16,}|ntn_[A-Za-z0-9]{20,}|secret_[A-Za-z0-9]{20,}|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{30,}|glpat-[A-Za-z0-9_-]{16,}|SG\.[A-Za-z0-9_-]{16,}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+)|-----BEGIN [A-Z ]*PRIVATE KEY-----|\b(?:Bearer|Basic)\s+(?=[A-Za-z+/=._~-]*\d)[A-Za-z0-9+/=._~-]{12,}/;

/** Names of things that hold a credential. */
const secretName =
  /authorization|cookie|api[-_]?key|access[-_]?key|token|secret|passw(?:or)?d|credential/i;

/** Whether a text looks like a real credential. */
export function looksSecret(text: string): boolean {
  return tokenForm.test(text);
}

/** Whether something of this name should hold a credential. */
export function namesSecret(name: string): boolean {
  return secretName.test(name);
}

/** The JSON pointers of the texts in a value that look like credentials. */
export function secretsIn(value: unknown, pointer = ''): string[] {
  if (typeof value === 'string') return looksSecret(value) ? [pointer] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    secretsIn(member, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}
