import { type Headers, headerOf } from '../call/exchange.ts';

/** Characters of a name that file systems take. */
const longestName = 255;

/** An extended parameter (RFC 8187): `filename*=UTF-8''a%20b.txt`. */
const extended = /;\s*filename\*\s*=\s*utf-8'[\w-]*'([^\s;"]+)/i;

/** The plain one (RFC 6266, section 4.1), with or without quotes. */
const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i;

/**
 * What a content is called: as its own header says (RFC 6266), else as the last part of its address. A name
 * is never a path, whoever writes it.
 */
export function fileName(headers: Headers, address: URL): string | undefined {
  const disposition = headerOf(headers, 'content-disposition') ?? '';
  const [, quoted, token] = plain.exec(disposition) ?? [];
  return [
    decoded(extended.exec(disposition)?.[1]),
    quoted?.replace(/\\(.)/g, '$1') ?? token,
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

function lastPart(name: string): string {
  const part = name.split(/[/\\]/).findLast((each) => each !== '') ?? '';
  const clean = part.replace(/\p{C}/gu, '').trim().slice(0, longestName);
  return /^\.*$/.test(clean) ? '' : clean;
}
