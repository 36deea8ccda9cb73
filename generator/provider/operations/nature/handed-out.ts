import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import { wordsOf } from '../../../model/texts/names.ts';

/** What is made for whoever asks for it: no two askers get the same. */
const made =
  /^(?:code|credentials?|jwt|link|nonce|otp|presigned|secret|session|signature|token|ur[il])$/i;

/** How a text begins that asks for one of these, and how it goes on behind it. */
const askedFor =
  /^(?:fetch|generate|get|obtain|request|retrieve|return)(?:e?s)? (?:(?:an?|the|new|your) )*(?:(?!(?:all|list)\b)[\p{L}\d'-]+ ){0,3}(?:credentials?|jwt|link|otp|secret|session|signature|token|ur[il])(?= (?:for|from|that|to|using|which|with)\b|\W*$|[.,;(])/iu;

/** Path ends that ask for what is there. */
const asked =
  /^(?:describe|find|get|info|introspect|list|lookup|query|retrieve|search|validate|verify)$/i;

/**
 * Whether a POST hands out what it makes at that moment, as a token, a session or a link that is good for
 * a while. Vendors call that getting it.
 */
export function isHandedOut({ path }: Pick<ApiOperation, 'path'>, summary: string): boolean {
  const last = path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? '';
  const words = wordsOf(last);
  if (words.length === 1 && asked.test(last)) return false;
  const [sentence = ''] = summary.split(/[.\n]/, 1);
  const isFoundBy = /\b(?:by|from)\b/i.test(words.slice(-3, -1).join(' '));
  return (!isFoundBy && made.test(words.at(-1) ?? '')) || askedFor.test(sentence);
}

/** Whether "list" means to put up one thing: "List an item for sale". */
export function isOffered(summary: string): boolean {
  return (
    /^lists? (?:an?|the|one|your) [\p{L} -]{1,40}? (?:for|on|in)\b/iu.test(summary) &&
    !/^lists? [^.]*(?:'s |s' )/i.test(summary) &&
    !/^lists? [^.]*?s (?:for|on|in)\b/i.test(summary)
  );
}
