import type { ApiOperation } from '../../model/schema/api-operations.ts';
import { RecursiveShapeError } from '../../model/schema/object-shape.ts';
import { operationInputs } from '../../model/vendor/inputs/operation-inputs.ts';
import type { ToolInput } from '../../model/vendor/inputs/tool-input.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';

const longest = 64;
const allowed = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Names for the arguments that cannot be called as the vendor does, for example `ids[]`. */
export function argumentRenames(
  document: ApiDocument,
  operation: ApiOperation,
): Readonly<Record<string, string>> {
  const inputs = inputsOf(document, operation);
  const taken = new Set(inputs.map(({ name }) => name));
  const renames: Record<string, string> = {};
  for (const { name } of inputs) {
    if (allowed.test(name)) continue;
    const plain = plainName(name);
    let free = plain;
    for (let count = 2; taken.has(free); count++) free = `${plain}_${count}`;
    taken.add(free);
    renames[name] = free;
  }
  return renames;
}

function inputsOf(document: ApiDocument, operation: ApiOperation): readonly ToolInput[] {
  try {
    return operationInputs(document, operation).inputs;
  } catch (error) {
    // It has no finite list of arguments, which is reported where the tool is planned.
    if (error instanceof RecursiveShapeError) return [];
    throw error;
  }
}

function plainName(name: string): string {
  const words = name.replace(/[^a-zA-Z0-9.-]+/g, '_').replace(/^_+|_+$/g, '');
  return words.slice(0, longest - 4) || 'value';
}
