import { isObject } from '#contract/json';
import { type ApiOperation, parametersOf } from '../../../model/schema/api-operations.ts';
import { wordsOf } from '../../../model/texts/names.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { bodySchema } from '../../examples/body-schema.ts';
import { mergedSchema } from '../../examples/merged-schema.ts';
import { isType, membersOf } from '../../guess/pages/answer-list.ts';
import { nounOf } from '../operation-role.ts';
import { shownText, toldFirst } from './told-summary.ts';
import { destroying, destroyingVerbs, turningOff } from './verbs.ts';

/** What says what is done, as a part of a path or a member of a body. */
const acts =
  /^(?:act|action|cmd|command|op|operate|operation|verb)(?:_?definition)?(?:_?(?:id|name|type))?$/i;

/** What else says so in a body that is sent to acts. */
const kinds = /^(?:desired_?)?(?:kind|method|name|power|state|status|type)$/i;
const ofActs =
  /^(?:[a-z]+ )?(?:act|action|command|control|execute|operate|operation|power)(?: execution)?$/;

/** What carries an act out, behind it, and how a text begins that only writes down what one is. */
const carrying = /^(?:execute|invoke|run|send|submit|trigger)$/;
const defining =
  /^\W*(?:add|create|define|insert|log|new|record|register|save|store|track)s? (?!(?:an? |the )?(?:[\w-]+ )?(?:action|command) (?:execution|to)\b)/i;

/** Where one call does many things, each by its own act, and what says at which address one is done. */
const wholeRequests = /^\$?_?(?:batch|bulk|mass|multi)(?:[-_]?requests?)?$/i;
const addressed = /^(?:api|endpoint|href|path|relative_?url|ur[il])$/i;

type Schema = ReturnType<typeof membersOf>[number][1];

/**
 * Whether something of what a caller may name as the act takes away what may not come back: `POST /vm/{action}`,
 * `POST /vms/{id}/actions` with `type: stop`. `unknown` where nothing tells which acts there are.
 */
export function carriedAct(
  document: ApiDocument,
  operation: ApiOperation,
): 'harmful' | 'unknown' | undefined {
  const inPath = parametersOf(document, operation).filter(
    ({ in: place, name }) => place === 'path' && acts.test(name),
  );
  for (const { node } of inPath) {
    const schema = mergedSchema(document, node['schema']);
    const told = [node['description'], schema['description'], operation.node['summary']];
    if (namesHarm(schema) || told.some((text) => tellsHarm(String(text ?? '')))) return 'harmful';
    if (!isListed(schema)) return 'unknown';
  }
  if (operation.method !== 'POST') return undefined;
  if (takesHarm(document, operation)) return 'harmful';
  return takesAny(document, operation) ? 'unknown' : undefined;
}

/** Whether what is sent names an act that takes something away. */
function takesHarm(document: ApiDocument, operation: ApiOperation): boolean {
  const { last, isToActs } = placeOf(operation);
  if (wholeRequests.test(last))
    return eachOfMany(document, operation).some(
      ([name, schema]) =>
        (acts.test(name) || name === 'method') && namesHarm(mergedSchema(document, schema)),
    );
  if (!isToActs && !last.startsWith('{')) return false;
  return membersOf(document, bodySchema(document, operation)).some(
    ([name, schema]) =>
      (acts.test(name) || (isToActs && kinds.test(name))) &&
      namesHarm(mergedSchema(document, schema)),
  );
}

/** Whether what is sent names an act and nothing tells which there are, or names addresses to which anything is sent. */
function takesAny(document: ApiDocument, operation: ApiOperation): boolean {
  const { last, isToActs } = placeOf(operation);
  if (wholeRequests.test(last)) {
    const names = eachOfMany(document, operation).map(([name]) => name);
    return names.includes('method') && names.some((name) => addressed.test(name));
  }
  if (!isToActs || defining.test(toldFirst(operation.node))) return false;
  const body = bodySchema(document, operation);
  if (isType(body, 'string') && !isListed(body)) return true;
  return membersOf(document, body).some(([name, schema]) => {
    const own = mergedSchema(document, schema);
    return acts.test(name) && isType(own, 'string') && !isListed(own);
  });
}

/** The last part of a path, and whether it stands for acts: `/actions`, `/commands/send`. */
function placeOf({ path }: ApiOperation): { readonly last: string; readonly isToActs: boolean } {
  const parts = path.split('/').filter((part) => part !== '');
  const [whole = '', before = ''] = parts.toReversed();
  const last = whole.replace(/\.json$/i, '');
  return { last, isToActs: ofActs.test(nounOf(carrying.test(last) ? before : last)) };
}

/** What each of many holds that are sent in a list. */
function eachOfMany(document: ApiDocument, operation: ApiOperation): ReturnType<typeof membersOf> {
  const body = bodySchema(document, operation);
  const lists = [body, ...membersOf(document, body).map(([, schema]) => schema)];
  return lists.flatMap((schema) => membersOf(document, mergedSchema(document, schema['items'])));
}

function isListed({ enum: choices, const: one }: Schema): boolean {
  return one !== undefined || Array.isArray(choices);
}

function namesHarm(schema: Schema): boolean {
  const { enum: choices, const: one } = schema;
  if (isObject(schema['properties']) || isType(schema, 'array')) return false;
  const values: readonly unknown[] = Array.isArray(choices) ? choices : [one];
  return values.some((value) => typeof value === 'string' && isHarm(value));
}

/** Whether a word, or two of one act, take something away. */
function isHarm(value: string): boolean {
  const words = wordsOf(value.slice(0, shownText)).map((word) => word.toLowerCase());
  return (
    [words[0] ?? '', words.at(-1) ?? ''].some(
      (word) => destroying.test(word) || destroyingVerbs.has(word),
    ) || turningOff.test(words.join(' '))
  );
}

/** The same of what a text lists: "start, stop or delete". */
function tellsHarm(text: string): boolean {
  return text
    .slice(0, shownText)
    .split(/[^\p{L}_-]+/u)
    .some((word) => word !== '' && isHarm(word));
}
