import type { ApiDocument } from '../read/api-document.ts';
import { asIdentifier, camelCase, isTaken } from './names.ts';
import type { ArgumentModel } from './provider-model.ts';
import type { ToolArgument } from './tool-argument.ts';
import { type ValueKinds, valueKinds } from './value-kinds.ts';

/** Names that request builders call: an argument of that name is called otherwise inside. */
const contractNames = new Set(
  `csv dateTime deep defineTool form graphql json jsonText label matrix multipart offset optional
  pageNumber path piped raw simple spaced`.split(/\s+/),
);

/** Give the arguments of a tool their names and kinds inside the request builder. */
export function argumentModels(
  given: readonly ToolArgument[],
  document: ApiDocument,
): ArgumentModel[] {
  const taken = new Set<string>();
  return given.map((argument) => {
    const { name, converted, required, input } = argument;
    const { description } = converted.schema;
    const local = localName(name, taken);
    taken.add(local);
    return {
      name,
      ...(argument.unused !== true && { local }),
      kinds: kindsOf(argument, document),
      place: input?.from === 'body' || input?.from === 'variable' ? 'body' : 'wire',
      required,
      ...(argument.default !== undefined && { default: argument.default }),
      schema: converted.schema,
      ...(typeof description === 'string' && { description }),
    };
  });
}

function kindsOf({ input, converted }: ToolArgument, document: ApiDocument): ValueKinds {
  // Files and what the generator made are described by the converted schema alone.
  const isOwn = input === undefined || converted.schema['properties'] !== undefined;
  return valueKinds(document, isOwn ? converted.schema : input.schema);
}

/** The argument's own name where it can be a binding, else the nearest one that can. */
function localName(name: string, taken: ReadonlySet<string>): string {
  const isUsable = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name);
  const base = isUsable ? name : asIdentifier(camelCase(name));
  const hides = isTaken(base) || contractNames.has(base);
  let local = hides ? `${base}Argument` : base;
  for (let count = 2; taken.has(local); count++) local = `${base}${count}`;
  return local;
}
