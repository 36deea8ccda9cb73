import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { JsonSchema } from '#contract/json';
import type { VendorTool } from '#contract/tool';
import { Remembered } from '../../process/remembered.ts';

/** What the generator writes: the schemas of tools by their names, and the definitions that they share. */
interface WholeInputs {
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  readonly inputs: Readonly<Record<string, JsonSchema>>;
}

/** One for each vendor of the build. */
const files = new Map<string, Remembered<ReadonlyMap<string, JsonSchema>>>();

/**
 * What the arguments of a tool are held to, where that is more than clients are shown.
 *
 * @throws Error where the file of its vendor is missing, broken or that of another build: a call that cannot be held
 * to all of its schema is not made
 */
export async function wholeInput({
  name,
  wholeInputs,
}: Pick<VendorTool, 'name' | 'wholeInputs'>): Promise<JsonSchema | undefined> {
  if (wholeInputs === undefined) return undefined;
  const { href } = wholeInputs;
  const file = files.get(href) ?? new Remembered(() => readInputs(wholeInputs));
  files.set(href, file);
  const found = (await file.get()).get(name);
  if (found === undefined) throw unusable(wholeInputs, `it does not hold ${name}`);
  return found;
}

/** All of them hold the same definitions, so that each is compiled once. */
async function readInputs(file: URL): Promise<ReadonlyMap<string, JsonSchema>> {
  try {
    // The generator wrote it, from what it made the tools of.
    const { definitions, inputs }: WholeInputs = JSON.parse(await readFile(file, 'utf8'));
    const schemas = Object.entries(inputs);
    return new Map(schemas.map(([name, input]) => [name, { ...input, $defs: definitions }]));
  } catch (cause) {
    throw unusable(file, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function unusable(file: URL, reason: string, cause?: unknown): Error {
  const path = fileURLToPath(file);
  const message = `${path} is not what the generator has written (${reason}): run npm run generate, or unpack the build again`;
  return new Error(message, { cause });
}
