/** More than any browser sends to one address. */
const mostCookies = 200;

/** The cookies of a request by name; where several have one name, that of the longest path comes first. */
export function parseCookies(header: unknown): ReadonlyMap<string, readonly string[]> {
  const cookies = new Map<string, string[]>();
  const pairs = typeof header === 'string' ? header.split(';', mostCookies) : [];
  for (const pair of pairs) {
    const sign = pair.indexOf('=');
    if (sign < 0) continue;
    const name = pair.slice(0, sign).trim();
    const value = pair.slice(sign + 1).trim();
    // RFC 6265 section 4.1.1 allows quotes around a value, which are no part of it.
    const plain = /^".*"$/.test(value) ? value.slice(1, -1) : value;
    const known = cookies.get(name);
    if (known) known.push(plain);
    else cookies.set(name, [plain]);
  }
  return cookies;
}
