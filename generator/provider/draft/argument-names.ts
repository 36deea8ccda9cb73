import { isObject } from '#contract/json';
import type { ApiOperation } from '../../model/schema/api-operations.ts';
import { RecursiveShapeError } from '../../model/schema/object-shape.ts';
import { isForeign, latinText } from '../../model/texts/latin-text.ts';
import { operationInputs } from '../../model/vendor/inputs/operation-inputs.ts';
import type { ToolInput } from '../../model/vendor/inputs/tool-input.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';

const longest = 64;
const allowed = /^[a-zA-Z0-9_.-]{1,64}$/;

/** What a tool that gives a list by pages takes, whatever its vendor calls it. */
const pageArguments = ['limit', 'cursor'];

/**
 * Names for the arguments that cannot be called as the vendor does, for example `ids[]`.
 *
 * @param isPaged whether it is a list that is asked for by pages
 * @param hidden what becomes no argument
 */
export function argumentRenames(
  document: ApiDocument,
  operation: ApiOperation,
  isPaged = false,
  hidden: readonly string[] = [],
): Readonly<Record<string, string>> {
  const inputs = inputsOf(document, operation).filter(({ wire }) => !hidden.includes(wire));
  const taken = new Set([...(isPaged ? pageArguments : []), ...inputs.map(({ name }) => name)]);
  const renames: Record<string, string> = {};
  for (const [index, input] of inputs.entries()) {
    const { name } = input;
    if (allowed.test(name)) continue;
    const place = inputs.slice(0, index).filter(({ from }) => from === input.from).length + 1;
    const plain = spelledName(input) || `${input.from}_${place}`;
    let free = plain;
    // Some take one value as `tag` and several as `tag[]`.
    if (taken.has(free) && name.endsWith('[]')) free = `${plain}_list`;
    for (let count = 2; taken.has(free); count++) free = `${plain}_${count}`;
    taken.add(free);
    renames[name] = free;
  }
  return renames;
}

/** What an operation takes; nothing where that never ends. */
export function inputsOf(document: ApiDocument, operation: ApiOperation): readonly ToolInput[] {
  try {
    return operationInputs(document, operation).inputs;
  } catch (error) {
    // It has no finite list of arguments, which is reported where the tool is planned.
    if (error instanceof RecursiveShapeError) return [];
    throw error;
  }
}

/** Words of a short description that may serve as a name. */
const mostWords = 4;

/** The first that can be spelled of its name, the title of its schema and what it is said to be. */
function spelledName({ name, schema, description }: ToolInput): string {
  const title = isObject(schema) ? schema['title'] : undefined;
  const own = isObject(schema) ? (description ?? schema['description']) : description;
  const isShort = typeof own === 'string' && own.trim().split(/\s+/).length <= mostWords;
  const others = [title, isShort ? own : undefined].map((text) =>
    typeof text === 'string' ? text.toLowerCase() : '',
  );
  const source = [name, ...others].find((text) => text !== '' && !isForeign(text));
  return plainName(source ?? '');
}

function plainName(name: string): string {
  const words = latinText(name)
    .replace(/[^a-zA-Z0-9.-]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return words.slice(0, longest - 4);
}
