import { isIP } from 'node:net';

/** What should stand in the place of a text that is no network; nothing where it is one. */
export function cidrInstead(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  const isNetwork =
    version !== 0 &&
    rest.length === 0 &&
    (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= most));
  if (!isNetwork) return 'addresses or networks such as 10.0.0.0/8, fd00::/8, separated by commas';
  const bytes = bytesOf(address, version);
  // A connection to one is a connection to the IPv4 host (RFC 4291 section 2.5.5.2).
  if (version === 6 && isMapped(bytes)) {
    return 'the IPv4 form of what ::ffff: stands before, for example 10.0.0.0/8';
  }
  // 10.1.2.3/8 is a slip: either one host was meant, or fewer bits.
  const bits = prefix === undefined ? most : Number(prefix);
  if (!hasHostBits(bytes, bits)) return undefined;
  return `a network without bits of a host behind its first ${bits}, or the address alone`;
}

function isMapped(bytes: readonly number[]): boolean {
  return bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
}

function hasHostBits(bytes: readonly number[], bits: number): boolean {
  return bytes.some((byte, index) => {
    const network = Math.min(8, Math.max(0, bits - index * 8));
    return (byte & (0xff >> network)) !== 0;
  });
}

/** The bytes of an address; `isIP` has checked its text. */
function bytesOf(address: string, version: number): readonly number[] {
  if (version === 4) return address.split('.').map(Number);
  // A URL writes it without a dotted quad and in its shortest form.
  const host = new URL(`http://[${address.replace(/%.*$/, '')}]/`).hostname.slice(1, -1);
  const [left = '', right] = host.split('::');
  const words = (part: string) => part.split(':').filter((word) => word !== '');
  const [head, tail] = [words(left), words(right ?? '')];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].flatMap((word) => {
    const value = Number.parseInt(word, 16);
    return [value >> 8, value & 255];
  });
}
