import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import { wordsOf } from '../../../model/texts/names.ts';
import { toldFirst } from '../nature/told-summary.ts';

/** How texts say that something is bought or paid: with what it is done to, a verb is no thing. */
const saidToSpend =
  /^\W*(?:(?:buy|pay|purchase)s? (?:all|an?|for|more|one|the|this|your)\b|(?:bet|bid|charge|donate|order)s? (?:an?|for|on|the|this|to|your)\b)/i;

/** Verbs of names that spend, and the things that they are part of: "purchase order", "pay run". */
const verbs = /^(?:buy|pay|purchase)$/;
const things =
  /^(?:agreement|band|bill|calendar|code|contract|credit|element|event|grade|group|history|invoice|item|limit|line|link|list|method|order|period|price|quote|rate|receipt|requests?|requisition|return|run|schedule|side|slip|statement|stub|type)s?$/;

/** Whether a text or a name says that something is bought or paid, whatever its path is called. */
export function saysToSpend({ id = '', node }: Pick<ApiOperation, 'id' | 'node'>): boolean {
  const told = toldFirst(node);
  if ([told, String(node['description'] ?? '')].some((text) => saidToSpend.test(text))) return true;
  const [verb = '', thing = ''] = smallWords(id);
  if (!verbs.test(verb) || thing === '' || things.test(thing)) return false;
  const [first = verb] = smallWords(told);
  return first === verb || first === `${verb}s`;
}

/** How a text begins of what only works something out: nothing is ordered or paid. */
const reckoning =
  /^\W*(?:calculate|categori[sz]e|classif(?:y|ie)|compute|enhance|estimate|preview|simulate|test|validate)s? /i;
const besides = /\b(?:and|then)\b/i;

/** What stands around orders and payments, and is none of them. */
const around =
  /^(?:acknowledge?ment|config|configuration|expression|feed|handling|hook|interaction|log|rule|setting|webhook)$/;

/** Whether what stands below orders or payments spends nothing itself, as its path or its text tells. */
export function isAroundMoney(
  last: string,
  node: ApiOperation['node'],
  spending: ReadonlySet<string>,
): boolean {
  const words = last.split(' ');
  if (words.some((word) => spending.has(word)) && words.length === 1) return false;
  if (around.test(words.at(-1) ?? '')) return true;
  const [sentence = ''] = toldFirst(node).split(/[.\n]/, 1);
  return reckoning.test(sentence) && !besides.test(sentence);
}

function smallWords(text: string): readonly string[] {
  return wordsOf(text).map((word) => word.toLowerCase());
}
