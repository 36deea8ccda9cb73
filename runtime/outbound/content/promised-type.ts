import type { ResponseShape } from '#contract/tool';
import type { Headers } from '../call/exchange.ts';
import { isHtmlType, isJsonType, isXmlType, mediaType, toldMediaType } from './media-type.ts';

/**
 * `text/html instead of application/pdf`: what an answer is, where its media type is none of those
 * that the vendor's description promises. A type that says little may be any file, and a text of
 * one kind is as good as one of another.
 */
export function unpromisedType(
  headers: Headers,
  { types }: { readonly types: ResponseShape['types'] | undefined },
): string | undefined {
  const came = mediaType(headers);
  const told = toldMediaType(headers);
  if (types === undefined || told === undefined || types.some((type) => covers(type, came))) {
    return undefined;
  }
  return `${told} instead of ${types.join(' or ')}`;
}

/** Whether an answer of media type `came` is what `promised` lets a caller expect. */
function covers(promised: string, came: string): boolean {
  const [kind = '', subtype] = promised.split('/', 2);
  if (subtype === '*') return kind === '*' || came.startsWith(`${kind}/`);
  if (came === promised || came === 'application/octet-stream') return true;
  if (isJsonType(promised)) return isJsonType(came);
  if (isXmlType(promised)) return isXmlType(came);
  if (isHtmlType(came) || isJsonType(came) || isXmlType(came)) return false;
  if (promised === 'application/octet-stream') return true;
  const isText = /^text\/(?!event-stream)/;
  return isText.test(promised) && isText.test(came);
}
