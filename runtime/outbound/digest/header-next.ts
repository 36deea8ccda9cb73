import { type Headers, headerOf } from '../call/exchange.ts';
import { parseLinkHeader } from '../content/link-header.ts';
import { type NextPage, rest } from './paging.ts';

/** Headers in which vendors say where a list goes on, besides `Link` (RFC 8288). */
const nextNames = /^(?:x-)?(?:[a-z]+-)?next-(?:cursor|link|page|page-token|page-url|token|url)$/;

/** What stands there on the last page. */
const nowhere = /^(?:|-1|0|false|none|null)$/i;

/**
 * What there is to say where a vendor tells in a header that a list goes on, and the tool has no pages:
 * descriptions seldom tell of their headers, and a part would pass for the whole.
 */
export function untoldNext(headers: Headers): NextPage {
  const links = parseLinkHeader(headerOf(headers, 'link') ?? '');
  const isLinked = links.some(({ relations, anchor }) => relations.includes('next') && !anchor);
  const name = isLinked ? 'link' : Object.keys(headers).find((each) => isNext(each, headers));
  if (name === undefined) return {};
  return {
    hint: `the vendor says in its header "${name}" that the list goes on, which this tool does not follow; ${rest}`,
  };
}

function isNext(name: string, headers: Headers): boolean {
  return nextNames.test(name) && !nowhere.test((headerOf(headers, name) ?? '').trim());
}
