import { isUtf8 } from 'node:buffer';
import { closeSync, constants, openSync, readSync, statSync } from 'node:fs';

/** Largest file that the generator reads. */
export const maxFileBytes = 64 * 1024 * 1024;

/** The text of a file, and what bytes that are no UTF-8 were taken for; or the reason why there is none. */
export type SourceText =
  | { readonly text: string; readonly mended?: MendedText }
  | { readonly text: undefined; readonly reason: string };

/** Where the first of such bytes stands in the text, and how it was read. */
interface MendedText {
  readonly offset: number;
  readonly message: string;
}

/**
 * Read a text file of bounded size: UTF-8, or UTF-16 where a byte order mark says so (YAML 1.2.2, section 5.2).
 *
 * @param isForeign whether others have written it, so that bytes that are no UTF-8 are read as they are meant
 */
export function readSourceText(path: string, { isForeign = false } = {}): SourceText {
  const source = readSourceBytes(path);
  if (source.bytes === undefined) return refused(source.reason);
  const { bytes } = source;
  const text = utf16Text(bytes) ?? (isUtf8(bytes) ? bytes.toString('utf8') : undefined);
  const mended = text === undefined && isForeign ? mendedText(bytes) : undefined;
  if (mended) return mended;
  if (text === undefined) return refused('it is not UTF-8 text');
  // A byte order mark is allowed in YAML and by no means in JSON (RFC 8259 section 8.1).
  return { text: text.startsWith('\uFEFF') ? text.slice(1) : text };
}

/** What a regular file holds, or the reason why it is not read. */
export function readSourceBytes(
  path: string,
): { readonly bytes: Buffer } | { readonly bytes: undefined; readonly reason: string } {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return { bytes: undefined, reason: 'it is not a regular file' };
    const bytes = bytesToLimit(path, stat.size);
    if (bytes.length <= maxFileBytes) return { bytes };
    const size = Math.max(stat.size, bytes.length);
    const reason = `it has ${size} bytes, more than the limit of ${maxFileBytes}`;
    return { bytes: undefined, reason };
  } catch (cause) {
    return { bytes: undefined, reason: reasonOf(cause) };
  }
}

/** At most one byte more than the limit: a file may grow, and some hold more than the size that they tell. */
function bytesToLimit(path: string, size: number): Buffer {
  // Some that are told to be regular wait for more, as the log of the kernel does.
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    let buffer = Buffer.allocUnsafe(Math.min(size, maxFileBytes) + 1);
    for (let length = 0; ; ) {
      const count = readSync(descriptor, buffer, length, buffer.length - length, null);
      length += count;
      if (count === 0 || length > maxFileBytes) return buffer.subarray(0, length);
      if (length < buffer.length) continue;
      const more = Math.min(2 * length, maxFileBytes + 1) - length;
      buffer = Buffer.concat([buffer, Buffer.allocUnsafe(more)]);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** A letter that was read as UTF-8: by chance, two letters of another charset are hardly ever one. */
const letter = /[\x80-\ufffc\ufffe\uffff]/;
/** What no text holds. */
const noText = /[\p{Cc}--[\t\n\f\r]]/v;
const beyondAscii = /[\x80-\uffff]/;

/**
 * A text in the charset that browsers take it for (Encoding, windows-1252), as answers are read, too; of
 * UTF-8 in which a few bytes are wrong, all but those.
 */
function mendedText(bytes: Buffer): SourceText | undefined {
  const text = bytes.toString('utf8');
  if (letter.test(text.replace(/^\ufeff/, ''))) {
    const message = 'bytes that are no UTF-8 are read as unknown letters';
    return { text, mended: { offset: text.indexOf('\ufffd'), message } };
  }
  const western = new TextDecoder('windows-1252').decode(bytes);
  if (noText.test(western)) return undefined;
  const message = 'the text is no UTF-8; it is read as windows-1252';
  return { text: western, mended: { offset: western.search(beyondAscii), message } };
}

/** What the shell of Windows writes into a file unless it is told otherwise. */
function utf16Text(bytes: Buffer): string | undefined {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE();
  if (mark !== 0xff_fe && mark !== 0xfe_ff) return undefined;
  const encoding = mark === 0xff_fe ? 'utf-16le' : 'utf-16be';
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function refused(reason: string): SourceText {
  return { text: undefined, reason };
}

function reasonOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'EAGAIN') return 'it waits for more, as a device does';
  return code ?? message;
}
