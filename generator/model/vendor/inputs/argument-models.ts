import { isObject } from '#contract/json';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { longInteger, longItems } from '../../schema/long-integers.ts';
import { type ValueKinds, valueKinds } from '../../schema/value-kinds.ts';
import type { ArgumentModel } from '../../shape/provider-model.ts';
import { asIdentifier, camelCase, isTaken } from '../../texts/names.ts';
import type { ToolArgument } from './tool-argument.ts';
import type { BodyForm } from './tool-input.ts';

/** Give the arguments of a tool their names and kinds inside the request builder. */
export function argumentModels(
  given: readonly ToolArgument[],
  document: ApiDocument,
  body: BodyForm | undefined,
): ArgumentModel[] {
  const taken = new Set<string>();
  return given.map((argument) => {
    const { name, converted, required } = argument;
    const { description } = converted.schema;
    const local = localName(name, taken);
    taken.add(local);
    return {
      name,
      ...(argument.unused !== true && { local }),
      kinds: kindsOf(argument, document),
      place: placeOf(argument, body),
      required,
      ...(argument.default !== undefined && { default: argument.default }),
      schema: converted.schema,
      ...(typeof description === 'string' && { description }),
    };
  });
}

/** Where the builder puts an argument, which says what its type may be. */
function placeOf({ input }: ToolArgument, body: BodyForm | undefined): ArgumentModel['place'] {
  if (input === undefined) return 'wire';
  const { from, style, path } = input;
  if (from === 'variable' || (from === 'body' && body?.kind !== 'form')) return 'body';
  if (from === 'body') return path.length === 0 ? 'fields' : 'wire';
  const isWhole =
    style['style'] === 'deepObject' || (isObject(style['content']) && from === 'query');
  return from === 'path' || isWhole ? 'wire' : 'fields';
}

function kindsOf({ input, isFile, converted }: ToolArgument, document: ApiDocument): ValueKinds {
  const isOwn =
    input === undefined ||
    isFile ||
    longInteger(document, input.schema) ||
    longItems(document, input.schema);
  return valueKinds(document, isOwn ? converted.schema : input.schema);
}

/** The argument's own name where it can be a binding, else the nearest one that can. */
function localName(name: string, taken: ReadonlySet<string>): string {
  const isUsable = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name);
  const base = isUsable ? name : asIdentifier(camelCase(name));
  let local = isTaken(base) ? `${base}Argument` : base;
  for (let count = 2; taken.has(local); count++) local = `${base}${count}`;
  return local;
}
