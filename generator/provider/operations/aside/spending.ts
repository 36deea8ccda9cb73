import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import { smallWords, wordsOf } from '../../../model/texts/names.ts';
import { shownText, toldFirst } from '../nature/told-summary.ts';

/** How texts say that something is bought or paid: with what it is done to, a verb is no thing. */
const saidToSpend =
  /^\W*(?:(?:buy|pay|purchase)s? (?:all|an?|and|for|more|one|the|this|your)\b|(?:bet|bid|charge|donate|order)s? (?:an?|for|on|the|this|to|your)\b|(?:add|deposit|withdraw)s? (?:funds|money)\b|(?:attempts? to )?(?:confirm|initiate|make|route|send|submit)s? (?:an? |the )?(?:payment|payout|withdrawal)s?\b(?=\W|$)(?! (?!(?:by|described|for|from|initiation|through|to|using|via|with)\b)[a-z]))/i;

/** How they say that what moves is money, or that somebody proves that he wants it to. */
const saidToMove =
  /\bmoves? (?:cash|funds|money|shares)\b|\bauthori[sz]ation process for (?:an? |the )?(?:[\w-]+ )?(?:payment|signing basket|transfer)\b/i;

/** Verbs of names that spend, and the things that they are part of: "purchase order", "pay run". */
const verbs = /^(?:buy|pay|purchase)$/;
const things =
  /^(?:agreement|band|bill|calendar|code|contract|credit|element|event|grade|group|history|invoice|item|limit|line|link|list|method|order|period|price|quote|rate|receipt|requests?|requisition|return|run|schedule|side|slip|statement|stub|type)s?$/;

/** Whether a text or a name says that something is bought or paid, whatever its path is called. */
export function saysToSpend({ id = '', node }: Pick<ApiOperation, 'id' | 'node'>): boolean {
  const told = toldFirst(node);
  if ([told, String(node['description'] ?? '')].some((text) => saidToSpend.test(text))) return true;
  if (saidToMove.test(`${told} ${String(node['description'] ?? '').slice(0, shownText)}`))
    return true;
  const [verb = '', thing = ''] = smallWords(id);
  if (!verbs.test(verb) || thing === '' || things.test(thing)) return false;
  const [first = verb] = smallWords(told);
  return first === verb || first === `${verb}s`;
}

/** How a text begins of what only works something out: nothing is ordered or paid. */
const reckoning =
  /^\W*(?:calculate|categori[sz]e|check|classif(?:y|ie)|compute|enhance|estimate|preview|simulate|test|validate)s? /i;
const besides = /\b(?:and|then)\b/i;

/** What stands around orders and payments, and is none of them. */
const around =
  /^(?:acknowledge?ment|attribute|calendar|category|check|config|configuration|definition|domain|event|export|expression|feed|handling|hook|import|interaction|log|refresh|rule|search|setting|status|sync|validation|webhook)$/;

/** What is checked out without money, and what else is said where it is not. */
const lent =
  /\b(?:assets?|attendances?|books?|branch(?:es)?|commits?|copy|documents?|equipment|files?|gits?|guests?|hardware|keys?|library|licen[cs]es?|loans?|repos?|repositor(?:y|ies)|revisions?|rooms?|sessions?|shifts?|svn|vehicles?|visitors?|vcs|work(?:ing|space|tree)s?)\b/i;
const sold =
  /\b(?:baskets?|bill\w*|buy\w*|carts?|order\w*|pa(?:id|y)\w*|prices?|purchas\w*|shop\w*|stripe)\b/i;

/** Whether a checkout is one of a version, of something lent, or of somebody who goes. */
export function checksOut({ path, node }: Pick<ApiOperation, 'path' | 'node'>): boolean {
  const parts = path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  if (!/^check[-_]?outs?$/i.test(parts.at(-1) ?? '')) return false;
  const told = `${wordsOf(parts.slice(0, -1).join(' ')).join(' ')} ${toldFirst(node)}`;
  return lent.test(told) && !sold.test(`${told} ${node['description'] ?? ''}`);
}

/** What binds whoever accepts it, and what is taken of money that was set aside. */
const offers = /^(?:bid|estimate|offer|proposal|quotation|quote)s?$/;
const reserved = /(?:authori[sz]ation|hold|intent|preauth\w*)s?$/;

/** Whether one of these is accepted or taken: `/offers/{id}/accept`, `/authorizations/{id}/capture`. */
export function bindsOffer(path: string): boolean {
  const [act = '', item = '', thing = ''] = path
    .split('/')
    .filter((part) => part !== '')
    .toReversed();
  if (!item.startsWith('{')) return false;
  const noun = smallWords(thing).at(-1) ?? '';
  return (
    (act === 'accept' && offers.test(noun)) ||
    (/^(?:capture|reauthori[sz]e)$/.test(act) && reserved.test(noun))
  );
}

/** One to do some work, and what is out of it. */
const noPurchase = /\bout[- ]of[- ]order\b|\bwork[- ]?orders?\b/i;

/** The order in which things stand, and what is added to one that was made: no money moves. */
const sequence =
  /\border of (?!goods)|\b(?:change|display|set|sort|update) order\b|\breorder(?:s|ing)?\b/i;
const keeping =
  /^\W*(?:(?:add|assign|attach)s? (?:an? |one or more |the )?(?:attachments?|comments?|files?|notes?|tags?|tracking|users?|watchers?)\b)/i;
/** What holds certificates is ordered as well (RFC 8555), and costs nothing. */
const protocol = /\/acme\//;

/** Whether what stands below orders or payments spends nothing itself, as its path or its text tells. */
export function isAroundMoney(
  { path, node }: Pick<ApiOperation, 'path' | 'node'>,
  last: string,
  spending: ReadonlySet<string>,
): boolean {
  const words = last.split(' ');
  const told = `${last} ${toldFirst(node)}`;
  if (noPurchase.test(`${smallWords(path).join(' ')} ${told}`)) return true;
  if (sequence.test(told) || keeping.test(toldFirst(node)) || protocol.test(path)) return true;
  if (words.some((word) => spending.has(word)) && words.length === 1) return false;
  if (around.test(words.at(-1) ?? '')) return true;
  return onlyReckons(node);
}

/** Whether a text says that something is only worked out or looked at. */
export function onlyReckons(node: ApiOperation['node']): boolean {
  const [sentence = ''] = toldFirst(node).split(/[.\n]/, 1);
  return reckoning.test(sentence) && !besides.test(sentence);
}
