import { type ApiOperation, listOf } from '../../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { bodySchema } from '../../examples/body-schema.ts';
import { mergedSchema } from '../../examples/merged-schema.ts';
import { membersOf } from '../../guess/pages/answer-list.ts';

/** A member of what is sent, with its schema. */
export type SentMember = ReturnType<typeof membersOf>[number];

/** So many alternatives of one schema are looked at: unions of more are of things, not of forms of one. */
const mostForms = 16;

/**
 * What a body holds, or each item of one that is a list: at its top and one level below, also in lists and
 * in each of several alternatives.
 */
export function sentMembers(document: ApiDocument, operation: ApiOperation): readonly SentMember[] {
  const body = bodySchema(document, operation);
  const heldBy = (schema: SentMember[1]) => {
    const forms = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])].slice(0, mostForms);
    const parts = [schema['items'], ...forms].map((part) => mergedSchema(document, part));
    return [schema, ...parts].flatMap((part) => membersOf(document, part));
  };
  const outer = heldBy(body);
  return [...outer, ...outer.flatMap(([, schema]) => heldBy(schema))];
}
