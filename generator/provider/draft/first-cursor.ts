import type { CuratedPagination } from '../../model/shape/curation.ts';
import { pagingInput, positionName } from '../../model/vendor/inputs/paging.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { mergedSchema } from '../examples/merged-schema.ts';
import { inputsOf } from '../guess/pages/page-inputs.ts';
import type { OperationNature } from '../operations/operation-nature.ts';
import { toldCursor } from './told-cursor.ts';

/** The cursor that an operation takes for the first page, too. */
interface FirstCursor {
  readonly wire: string;
  /** What the first page sends; absent where nothing is sure to be taken, and callers have to give it. */
  readonly value?: string;
}

const bounds = ['enum', 'const', 'pattern', 'format', 'allOf', 'anyOf', 'oneOf'];

/** What a first page sends for a cursor that may not be left out, or as its text says; else nothing. */
export function firstCursor(
  document: ApiDocument,
  nature: OperationNature,
  pagination: CuratedPagination | undefined,
): FirstCursor | undefined {
  if (pagination?.style !== 'cursor' && pagination?.style !== 'token_body') return undefined;
  const inputs = inputsOf(document, nature);
  const input = pagingInput(inputs, positionName(pagination));
  if (!input || input.from === 'header') return undefined;
  if (!input.required) {
    const told = nature.reads ? toldCursor(document, input) : undefined;
    return told === undefined ? undefined : { wire: input.wire, value: told };
  }
  // What is called so in a thing to be made is a part of it.
  const value = nature.reads ? acceptedText(mergedSchema(document, input.schema)) : undefined;
  return { wire: input.wire, ...(value !== undefined && { value }) };
}

/** The usual value, else the empty text or 0 where nothing is said that would refuse it. */
function acceptedText(schema: Readonly<Record<string, unknown>>): string | undefined {
  const { type, default: usual, minLength = 0, minimum = 0, exclusiveMinimum = -1 } = schema;
  if (typeof usual === 'string' || typeof usual === 'number') return String(usual);
  if (bounds.some((keyword) => keyword in schema)) return undefined;
  if (type === 'string') return minLength === 0 ? '' : undefined;
  const isZeroTaken = Number(minimum) <= 0 && Number(exclusiveMinimum) < 0;
  return (type === 'integer' || type === 'number') && isZeroTaken ? '0' : undefined;
}
