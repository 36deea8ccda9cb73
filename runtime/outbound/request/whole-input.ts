import { readFile } from 'node:fs/promises';
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

/** What the arguments of a tool are held to, where that is more than clients are shown. */
export async function wholeInput({
  name,
  wholeInputs,
}: Pick<VendorTool, 'name' | 'wholeInputs'>): Promise<JsonSchema | undefined> {
  if (wholeInputs === undefined) return undefined;
  const { href } = wholeInputs;
  const file = files.get(href) ?? new Remembered(() => readInputs(wholeInputs));
  files.set(href, file);
  const found = (await file.get()).get(name);
  if (found === undefined) throw new Error(`${wholeInputs.pathname} does not hold ${name}`);
  return found;
}

/** All of them hold the same definitions, so that each is compiled once. */
async function readInputs(file: URL): Promise<ReadonlyMap<string, JsonSchema>> {
  // The generator wrote it, from what it made the tools of.
  const { definitions, inputs }: WholeInputs = JSON.parse(await readFile(file, 'utf8'));
  const schemas = Object.entries(inputs);
  return new Map(schemas.map(([name, input]) => [name, { ...input, $defs: definitions }]));
}
