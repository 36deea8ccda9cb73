import { isUtf8 } from 'node:buffer';

/** A text, and the charset that its letters were guessed to be in, where nobody says. */
export interface ReadText {
  readonly text: string;
  readonly guessed?: string;
}

/** What browsers take a text for that is no UTF-8 and names no charset (Encoding, windows-1252). */
const western = 'windows-1252';

/** What no text holds, and nearly every file: controls. In windows-1252, five bytes are no letter but such. */
const noText = /[\p{Cc}--[\t\n\f\r]]/v;

/** A letter that was read as UTF-8: by chance, two letters of another charset are hardly ever one. */
const letter = /[\x80-\ufffc\ufffe\uffff]/;

/**
 * Read a text by the charset that it is said to be in; without one by its byte order mark, as UTF-8,
 * or, where it is none, by the charset that it names itself, or as windows-1252. Of UTF-8 in which a few bytes
 * are wrong, the rest stays.
 */
export function readText(bytes: Buffer, named: string | undefined): ReadText {
  const charset = named?.toLowerCase();
  const wide = charset === undefined || charset.startsWith('utf-16') ? wideOf(bytes) : undefined;
  if (wide ?? (charset !== undefined && charset !== 'utf-8')) {
    return { text: decodeAs(bytes, wide ?? charset ?? 'utf-8') };
  }
  const text = bytes.toString('utf8');
  // Looking for the mark of a lost letter costs nothing where a text is ASCII, and little elsewhere.
  const isLost = charset === undefined && text.includes('\ufffd');
  const own = charset === undefined && bytes[0] === 0x3c ? ownCharset(bytes) : undefined;
  if (own !== undefined && (isLost || own === escaping)) return { text: decodeAs(bytes, own) };
  return isLost && !letter.test(text) && !isUtf8(bytes) ? (asWestern(bytes) ?? { text }) : { text };
}

/** All of its bytes are ASCII, so that it looks like UTF-8. */
const escaping = 'iso-2022-jp';

/** So much of a page is looked at for its charset (HTML, 13.2.3.2). */
const prescanned = 1024;

/**
 * The charset that a page or a document in XML names itself (HTML, 4.2.5.4; XML 1.0, 4.3.3), in lower
 * case. Where it is UTF-8 all the same, whoever wrote it did not mean that.
 */
function ownCharset(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, prescanned).toString('latin1');
  const named =
    /^<\?xml[^<>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(head) ??
    /<meta\s[^<>]*\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head);
  return named?.[1]?.toLowerCase();
}

function asWestern(bytes: Buffer): ReadText | undefined {
  const text = decodeAs(bytes, western);
  return noText.test(text) ? undefined : { text, guessed: western };
}

/** UTF-16 by its byte order mark, or by the zeros around the first two characters of JSON (RFC 4627, section 3). */
function wideOf(bytes: Buffer): string | undefined {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (startsJson(first) && second === 0 && third > 0 && fourth === 0) return 'utf-16le';
  if (startsJson(second) && first === 0 && fourth > 0 && third === 0) return 'utf-16be';
  return undefined;
}

function startsJson(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b || byte === 0x22;
}

function decodeAs(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // A label that the Encoding standard does not know.
    return bytes.toString('utf8');
  }
}
