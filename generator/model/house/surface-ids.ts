import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { camelCase } from '../texts/names.ts';

const form = /^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/;
const longest = 40;

/** What has these names already; what is generated for a surface is called after it. */
const reserved: ReadonlyMap<string, string> = new Map([
  ['house', 'the migrations of the engines are called house/1, house/2 and so on'],
  ['common', 'CommonTables are the tables that every surface sees'],
  ['define', 'generated code calls defineRoutes, defineTools and defineJobs'],
]);

/** Say which folders of surfaces cannot be called as they are (SURF009). */
export function checkSurfaceIds(
  places: readonly { readonly id: string; readonly path: string }[],
): Diagnostic[] {
  const taken = new Map<string, string>();
  return places.flatMap(({ id, path }) => {
    const identifier = camelCase(id);
    const first = taken.get(identifier);
    taken.set(identifier, first ?? id);
    const problem = problemOf(id) ?? (first && `${first} and ${id} both become "${identifier}"`);
    if (problem === undefined) return [];
    return [diagnose('SURF009', { file: path, line: 1, column: 1, pointer: '' }, problem)];
  });
}

function problemOf(id: string): string | undefined {
  const name = JSON.stringify(id);
  if (!form.test(id)) {
    return `a surface is called by lower-case letters and digits, with _ or - between them, but this is ${name}`;
  }
  if (id.length > longest) {
    return `the name of a surface has at most ${longest} characters, but ${name} has ${id.length}`;
  }
  const owner = reserved.get(id);
  return owner && `no surface can be called ${name}: ${owner}`;
}
