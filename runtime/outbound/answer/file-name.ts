import { type Headers, headerOf } from '../call/exchange.ts';

/** Characters of a name that file systems take. */
const longestName = 255;

/** A parameter of a header; blanks in a name without quotes are a fault of many vendors, and belong to it. */
const parameter = /;\s*([\w!#$&+^`|~.-]+\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g;

/** An extended value (RFC 8187): `UTF-8''a%20b.txt`. */
const extended = /^utf-8'[\w-]*'(\S+)$/i;

/** A word as mail encodes it (RFC 2047), which no header of HTTP has. */
const encodedWord = /=\?[\w-]+\?[bq]\?/i;

/**
 * What a content is called: as its own header says (RFC 6266), else as the last part of its address. A name
 * is never a path, whoever writes it.
 */
export function fileName(headers: Headers, address: URL): string | undefined {
  const told = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of (
    headerOf(headers, 'content-disposition') ?? ''
  ).matchAll(parameter)) {
    // A path of Windows is seldom written with each backslash twice.
    const value = quoted?.replace(/\\(["\\])/g, '$1') ?? plain.trim().replace(/^"/, '');
    if (!told.has(name.toLowerCase())) told.set(name.toLowerCase(), value);
  }
  const plain = told.get('filename') ?? '';
  return [
    decoded(extended.exec(told.get('filename*') ?? '')?.[1]),
    encodedWord.test(plain) ? '' : inUtf8(plain),
    decoded(address.pathname.split('/').findLast((part) => part !== '')),
  ]
    .map((name) => lastPart(name ?? ''))
    .find((name) => name !== '');
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Headers are read as Latin-1: many vendors write UTF-8 there. */
function inUtf8(text: string): string {
  if (!/[\x80-\xff]/.test(text) || /[^\0-\xff]/.test(text)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}

function lastPart(name: string): string {
  const part = name.split(/[/\\]/).findLast((each) => each !== '') ?? '';
  // Also the half of a character that is cut.
  const clean = part.trim().slice(0, longestName).replace(/\p{C}/gu, '').trim();
  return /^\.*$/.test(clean) ? '' : clean;
}
