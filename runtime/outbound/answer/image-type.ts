/** With what the bytes of an image begin in hexadecimal digits, of those that models see. */
const beginnings: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^474946383[79]61/],
  ['image/webp', /^52494646.{8}57454250/],
  ['image/avif', /^.{8}66747970617669(?:66|73)/],
];

/** Whether a media type is that of an image that models see. */
export function isSeenImage(type: string): boolean {
  return beginnings.some(([known]) => known === type);
}

/** The type of an image that models see, by its first bytes (MIME Sniffing, section 6.1); `undefined` where it is none. */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('hex');
  return beginnings.find(([, beginning]) => beginning.test(start))?.[0];
}
