import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { ToolError } from '#contract/errors';
import { tooLarge, unreadable } from './unusable-answer.ts';

interface DecoderOptions {
  readonly maxOutputLength: number;
  /** What has not ended is read as far as it goes. */
  readonly finishFlush?: number;
}

type Decoder = (body: Buffer, options: DecoderOptions) => Promise<Buffer>;

const gunzip: Decoder = promisify(zlib.gunzip);
const inflate: Decoder = promisify(zlib.inflate);
const inflateRaw: Decoder = promisify(zlib.inflateRaw);

/** Some servers leave out the frame of zlib around deflate (RFC 9110 section 8.4.1.2, note). */
function isFramed([first = 0, second = 0]: Buffer): boolean {
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

/** Content codings (RFC 9110 section 8.4.1), RFC 8878 for zstd. */
const decoders: Readonly<Record<string, Decoder>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: (body, options) => (isFramed(body) ? inflate : inflateRaw)(body, options),
  br: promisify(zlib.brotliDecompress),
  zstd: promisify(zlib.zstdDecompress),
};

/** The operation after which each gives what it has; without a name, that of zlib. */
const flushes: Readonly<Record<string, number>> = {
  br: zlib.constants.BROTLI_OPERATION_FLUSH,
  zstd: zlib.constants.ZSTD_e_flush,
};

/**
 * The other codings that there are (IANA, HTTP Content Coding Registry). Any other name is none: servers write
 * charsets and transfer codings there (`utf-8`, `aws-chunked`), and the body is as it would be without.
 */
const unreadCodings = new Set('aes128gcm compress dcb dcz exi pack200-gzip x-compress'.split(' '));

/** What says that there is none. */
const plainCodings = new Set(['', 'identity']);

/**
 * What an answer names and is no coding, where that is a word (RFC 9110 section 5.6.2). It is told in our words:
 * of what is longer than any coding, nothing is.
 */
export function foreignCoding(encoding: string | undefined): string | undefined {
  const names = encoding?.toLowerCase().split(/[, ]+/) ?? [];
  const isCoding = (name: string) =>
    Object.hasOwn(decoders, name) || unreadCodings.has(name) || plainCodings.has(name);
  const foreign = names.find((name) => !isCoding(name));
  return foreign !== undefined && /^[\w.+-]{1,16}$/.test(foreign) ? foreign : undefined;
}

/** The codings that a request offers. */
export const acceptedEncodings = 'gzip, br';

/**
 * Undo the content codings of a body. A bomb stops as soon as it has grown to `maxBytes`.
 *
 * @param isCut the body is the beginning of a stream
 * @throws ToolError `response_too_large`, `upstream_error`
 */
export async function decompress(
  body: Buffer,
  encoding: string,
  maxBytes: number,
  isCut = false,
): Promise<Buffer> {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  if (names.length > 3) throw unreadable('it is compressed too often');
  let plain = body;
  // Codings are listed in the order in which they were applied.
  for (const name of names.reverse()) {
    if (unreadCodings.has(name)) throw unreadable(`its content coding is ${name}`);
    const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
    if (decoder === undefined) continue;
    const finishFlush = flushes[name] ?? zlib.constants.Z_SYNC_FLUSH;
    const options = { maxOutputLength: maxBytes, ...(isCut && { finishFlush }) };
    plain = await run(decoder, plain, options);
  }
  return plain;
}

async function run(decoder: Decoder, body: Buffer, options: DecoderOptions): Promise<Buffer> {
  try {
    return await decoder(body, options);
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(options.maxOutputLength);
    throw unreadable('its compression is broken or cut off');
  }
}

/** Whether a body was left alone because it grows beyond the limit. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof ToolError && error.code === 'response_too_large';
}
