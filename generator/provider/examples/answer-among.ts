import { isObject } from '#contract/json';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { mergedSchema } from './merged-schema.ts';

type Node = Readonly<Record<string, unknown>>;

/** What tells of an error, and what stands beside it. */
const ofError =
  /^(?:code|details?|err(?:or)?s?|(?:err(?:or)?|reason)_?(?:code|message|type)|message|msg|reason)$/i;
const besideIt =
  /^(?:ok|path|(?:request|trace)_?id|status(?:_?code)?|success|time(?:stamp)?|title|type)$/i;

/**
 * Where all alternatives of an answer but one tell of an error, the members of that one beside them:
 * `oneOf: [{data: [...], info: {...}}, {status, code, message}]` answers a list. They stay alternatives,
 * so that nobody takes its members for all there can be.
 */
export function withAnswerAmong(document: ApiDocument, schema: Node): Node {
  const { oneOf, anyOf, properties, type } = schema;
  const choices = [oneOf, anyOf].find((each) => Array.isArray(each));
  if (!Array.isArray(choices) || choices.length < 2 || properties !== undefined) return schema;
  if (type !== undefined && type !== 'object') return schema;
  const answers = choices
    .map((choice) => mergedSchema(document, choice))
    .filter((choice) => !tellsError(choice));
  const [only] = answers;
  return answers.length === 1 && isObject(only?.['properties']) ? { ...only, ...schema } : schema;
}

function tellsError({ properties }: Node): boolean {
  const names = isObject(properties) ? Object.keys(properties) : [];
  return (
    names.some((name) => ofError.test(name)) &&
    names.every((name) => ofError.test(name) || besideIt.test(name))
  );
}
