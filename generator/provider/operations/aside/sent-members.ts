import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { bodySchema } from '../../examples/body-schema.ts';
import { mergedSchema } from '../../examples/merged-schema.ts';
import { membersOf } from '../../guess/pages/answer-list.ts';

/** A member of what is sent, with its schema. */
export type SentMember = ReturnType<typeof membersOf>[number];

/** What a body holds, or each item of one that is a list: at its top and one level below, also in lists. */
export function sentMembers(document: ApiDocument, operation: ApiOperation): readonly SentMember[] {
  const body = bodySchema(document, operation);
  const heldBy = (schema: SentMember[1]) => [
    ...membersOf(document, schema),
    ...membersOf(document, mergedSchema(document, schema['items'])),
  ];
  const outer = heldBy(body);
  return [...outer, ...outer.flatMap(([, schema]) => heldBy(schema))];
}
