import { isObject } from '#contract/json';
import type { ApiOperation } from '../../model/schema/api-operations.ts';
import type { ToolInput } from '../../model/vendor/inputs/tool-input.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { mergedSchema } from '../examples/merged-schema.ts';
import { inputsOf } from './argument-names.ts';

/**
 * What all methods of Google's APIs take: the form of the answer, a function around it, whose quota a call
 * counts on, how a file would be sent. `fields` is none of them: it says what is answered.
 */
const ofSystem: ReadonlySet<string> = new Set([
  '$.xgafv',
  'alt',
  'callback',
  'prettyPrint',
  'quotaUser',
  'uploadType',
  'upload_protocol',
  'userIp',
]);

/** Alone, some of their names mean other things elsewhere. */
const fewestOfSystem = 3;

/** Whether JSON is indented. */
const indenting = /^_?pretty(?:[-_]?print(?:ed)?)?$/i;

/** The function that a script of a page wants around an answer. */
const wrapping = /^(?:json_?)?(?:callback|padding)$|^jsonp(?:[-_]?callback)?$/i;

/** How an answer is written, of which one is read here and the others are pages or what needs another reader. */
const form = /^(?:response_?)?(?:f|fmt|format)$/i;
const forms: ReadonlySet<unknown> = new Set(['html', 'json', 'jsonp', 'xml']);

/**
 * The optional parameters that say how an answer is written and nothing of what is in it: no agent needs
 * them, and with some nobody could read the answer.
 */
export function answerLooks(document: ApiDocument, operation: ApiOperation): readonly string[] {
  const inputs = inputsOf(document, operation);
  const isAlone = ({ wire }: ToolInput) => inputs.filter((each) => each.wire === wire).length === 1;
  const optional = inputs.filter(({ from, required }) => from === 'query' && !required);
  const system = optional.filter(({ wire }) => ofSystem.has(wire));
  const ofAll = system.length >= fewestOfSystem ? system : [];
  return optional
    .filter(
      (input) =>
        ofAll.includes(input) ||
        indenting.test(input.wire) ||
        isWrapping(input) ||
        isForm(document, input),
    )
    .filter(isAlone)
    .map(({ wire }) => wire);
}

/** Whether nothing but the form of an answer is chosen, which is JSON where nobody chooses. */
function isForm(document: ApiDocument, { wire, schema }: ToolInput): boolean {
  const { enum: choices, default: usual } = mergedSchema(document, schema);
  return (
    form.test(wire) &&
    usual === 'json' &&
    Array.isArray(choices) &&
    choices.every((choice) => forms.has(choice))
  );
}

/** Elsewhere a callback is an address that somebody is told at. */
function isWrapping({ wire, description, schema }: ToolInput): boolean {
  const told = description ?? (isObject(schema) ? schema['description'] : undefined);
  return wrapping.test(wire) && typeof told === 'string' && /\bjsonp\b/i.test(told);
}
