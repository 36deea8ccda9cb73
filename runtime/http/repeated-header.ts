import { ServiceError } from '#contract/errors';

/** Headers that a request has once: of two values, each of two readers could believe another one. */
const single = ['content-type', 'authorization', 'idempotency-key'];

/**
 * Why a request is refused for what its head says twice: Host at all (RFC 9112 section 3.2), or
 * another header of which it has one value (RFC 9110 section 5.3). Every request comes by here, so
 * names are read only where two of them have the length and the first letter of one that counts.
 */
export function repeatedHeader(rawHeaders: readonly string[]): ServiceError | undefined {
  let hosts = 0;
  let types = 0;
  let credentials = 0;
  let keys = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name === undefined) continue;
    const { length } = name;
    if (length === 4) hosts += 1;
    else if (length === 12) types += begins(name, 0x63, 0x43);
    else if (length === 13) credentials += begins(name, 0x61, 0x41);
    else if (length === 15) keys += begins(name, 0x69, 0x49);
  }
  return hosts > 1 || types > 1 || credentials > 1 || keys > 1 ? refusalOf(rawHeaders) : undefined;
}

/** Whether a name begins with a letter, given as the codes of both its cases. */
function begins(name: string, small: number, capital: number): number {
  const code = name.charCodeAt(0);
  return code === small || code === capital ? 1 : 0;
}

function refusalOf(rawHeaders: readonly string[]): ServiceError | undefined {
  const values = new Map<string, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    const key = name.toLowerCase();
    const former = values.get(key);
    values.set(key, value);
    if (former === undefined) continue;
    if (key === 'host') return refused('there is more than one Host header');
    if (former !== value && single.includes(key)) {
      return refused(`the header ${key} must come once, but it came with two values`);
    }
  }
  return undefined;
}

function refused(message: string): ServiceError {
  return new ServiceError('invalid_request', 400, message);
}
