import { isObject } from '#contract/json';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { resolve } from '../../schema/api-operations.ts';
import { longInteger, longItems } from '../../schema/long-integers.ts';
import type { ToolSchemas } from '../../schema/tool-schema.ts';
import type { Sent, ToolArgument } from './tool-argument.ts';
import type { ToolInput } from './tool-input.ts';

/** What becomes of a member of a body. */
export interface BodyMember {
  /** The argument that fills it; absent where none does. */
  readonly name?: string;
  /** It is in every body, is in none, or is there where the argument is given. */
  readonly sent: 'always' | 'never' | 'if given';
  /** Only answers carry it, so that no request has to. */
  readonly isReadOnly: boolean;
  /** Its schema as the description has it, which its argument satisfies. */
  readonly schema: unknown;
  /** Its argument is written in another form than the description has. */
  readonly isRewritten: boolean;
}

/** The members of a body by their names on the wire. */
export function bodyMembers(
  sent: readonly Sent[],
  given: readonly ToolArgument[],
  { document, readOnly }: ToolSchemas,
): ReadonlyMap<string, BodyMember> {
  const members = sent.filter(
    ({ input }) => input.from === 'body' && input.path.length > 0 && !input.isRest,
  );
  const byInput = new Map(given.map((argument) => [argument.input, argument]));
  return new Map(
    members.map(({ input, value }) => {
      const argument = byInput.get(input);
      const isFixed = argument === undefined || argument.default !== undefined;
      const whenSent = isFixed ? 'always' : 'if given';
      const member: BodyMember = {
        ...(argument && { name: argument.name }),
        sent: value === undefined ? 'never' : whenSent,
        isReadOnly: readOnly.includes(input.schema),
        schema: input.schema,
        isRewritten:
          argument?.isFile === true ||
          isDateTime(input, document) ||
          longInteger(document, input.schema) !== undefined ||
          longItems(document, input.schema) !== undefined,
      };
      return [input.wire, member];
    }),
  );
}

/** Whether an input is a point in time, of which callers may give the date alone. */
export function isDateTime({ schema }: Pick<ToolInput, 'schema'>, document: ApiDocument): boolean {
  if (!isObject(schema)) return false;
  const { type, format } = resolve(document, { node: schema, pointer: '' }).node;
  return type === 'string' && format === 'date-time';
}
