import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import { wordsOf } from '../../../model/texts/names.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { bodySchema } from '../../examples/body-schema.ts';
import { membersOf } from '../../guess/pages/answer-list.ts';

const deltas = new Set(['decrement', 'delta', 'increment']);

/** Whether a body says by how much something is changed: `{ "delta": 5 }`. */
export function takesDelta(document: ApiDocument, operation: ApiOperation): boolean {
  return membersOf(document, bodySchema(document, operation)).some(([name]) =>
    deltas.has(wordsOf(name).at(-1)?.toLowerCase() ?? ''),
  );
}
