import { isObject, type JsonSchema } from '#contract/json';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { listOf, resolve } from '../../schema/api-operations.ts';
import type { ChosenBody } from './body-form.ts';
import type { Sent, ToolArgument } from './tool-argument.ts';
import type { ToolInput } from './tool-input.ts';

const name = 'other_members';
const schema: JsonSchema = { type: 'object', description: 'Further members of the body' };

/**
 * The input for members of a JSON body that nobody names, where its description says that there may be
 * any (`additionalProperties`, 2020-12 core, 10.3.2.3). Where it says nothing, none are meant.
 */
export function restOfBody(document: ApiDocument, body: ChosenBody): readonly ToolInput[] {
  if (body.form.kind !== 'json' || !takesOtherMembers(document, body.schema.node)) return [];
  const { pointer } = body.schema;
  const place = { from: 'body', wire: name, path: [name], name, pointer } as const;
  return [{ ...place, schema, required: false, style: {}, isRest: true }];
}

/** Whether a body has members that nobody names, and says so. */
export function takesOtherMembers(
  document: ApiDocument,
  given: unknown,
  seen = new Set<unknown>(),
): boolean {
  if (!isObject(given)) return false;
  const { node } = resolve(document, { node: given, pointer: '' });
  if (seen.has(node)) return false;
  seen.add(node);
  const { additionalProperties: others } = node;
  if (others === true || (isObject(others) && Object.keys(others).length === 0)) return true;
  return listOf(node['allOf']).some((part) => takesOtherMembers(document, part, seen));
}

/** The arguments so that what the curation keeps from agents does not come in without a name. */
export function withClosedRest(
  given: readonly ToolArgument[],
  sent: readonly Sent[],
): readonly ToolArgument[] {
  const kept = sent.filter(
    ({ input, value }) =>
      input.from === 'body' && (value === undefined || value.kind === 'constant'),
  );
  const names = [...new Set(kept.flatMap(({ input }) => input.path[0] ?? []))];
  if (names.length === 0) return given;
  const propertyNames = { not: { enum: names } };
  return given.map((argument) => {
    const { input, converted } = argument;
    if (input?.isRest !== true) return argument;
    return {
      ...argument,
      converted: { ...converted, schema: { ...converted.schema, propertyNames } },
    };
  });
}
