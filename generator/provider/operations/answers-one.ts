import { isObject } from '#contract/json';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { answerForm } from '../guess/answer-form.ts';
import { guessPagination } from '../guess/pages/guess-pagination.ts';
import { isAskedById } from './operation-details.ts';
import type { OperationNature } from './operation-nature.ts';

const single = new Set<unknown>(['string', 'number', 'integer', 'boolean']);

/** Who asks, or what there is one of. */
const ownThing =
  /\/(?:(?:[\w-]+[-_])?(?:certificate|config(?:uration)?|info|profile|settings|summary)|current|healthz?|me|myself|self|status|version|whoami)\/?$/i;

/** How a summary says that one thing is read: "Get a model (complete)". */
const one =
  /^(?:describe|fetch|find|get|look ?up|obtain|read|retrieve|return|show|view)(?:e?s)? (?:an?|one|single|a single) /i;

/** What makes one thing of many: "Get a list of models". */
const many =
  /\b(?:all|arrays?|batch(?:es)?|collections?|each|every|feed|history|list(?:s|ing|ings)?|many|multiple|number of|page[sd]?|paginated|range|series|several|sets?|subset)\b/i;

/**
 * Whether an answer is one value, a text or a file, or one object: one in which no list stands that it
 * could be about, one that is asked for by its id, or one of which its path or its summary says so.
 */
export function answersOne(document: ApiDocument, nature: OperationNature): boolean {
  const { content, operation } = nature;
  const { type, properties } = content?.schema ?? {};
  if (single.has(type)) return true;
  if (['text', 'binary'].includes(String(answerForm(document, operation)))) return true;
  if (type === 'array' || guessPagination(document, nature) !== undefined) return false;
  if (isCollection(document, operation.path)) return false;
  if (ownThing.test(operation.path)) return true;
  if (saysOne(String(operation.node['summary'] ?? operation.node['description'] ?? '')))
    return true;
  if (!isObject(properties)) return false;
  if (isAskedById(document, operation)) return true;
  const members = Object.values(properties);
  return members.every(
    (member) => !(isObject(member) && [member['type']].flat().includes('array')),
  );
}

/** Whether one of several is read below a path, as from `/deployments/{id}`: all of them are at the path itself. */
function isCollection({ root }: ApiDocument, path: string): boolean {
  const own = path.replace(/\/$/, '');
  if (!/[^s]s$/i.test(own)) return false;
  return Object.entries(root.paths ?? {}).some(([other, item]) => {
    const rest = other.startsWith(`${own}/`) ? other.slice(own.length) : '';
    return /^\/\{[^/}]*\}\/?$/.test(rest) && isObject(item) && 'get' in item;
  });
}

function saysOne(text: string): boolean {
  const [sentence = ''] = text.trim().split(/[.\n(]/, 1);
  return one.test(sentence) && !many.test(sentence);
}
