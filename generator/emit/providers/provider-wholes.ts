import { isObject } from '#contract/json';
import type { ProviderModel } from '../../model/shape/provider-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { Layouts } from '../print/literal.ts';
import { quoted } from '../print/quoted.ts';

const fileName = 'whole-inputs.json';

/**
 * Print `whole-inputs.json` of a provider: what calls of those tools are held to whose own schemas had
 * to be cut, one on each line, after the definitions that they share. No provider without such a tool
 * has one.
 */
export function emitProviderWholes({ settings, tools }: ProviderModel): EmittedFile[] {
  const definitions = new Map<string, unknown>();
  const inputs = tools.flatMap(({ definition, wholeInput }): [string, unknown][] => {
    if (wholeInput === undefined) return [];
    const { $defs, ...root } = wholeInput;
    for (const [name, schema] of Object.entries(isObject($defs) ? $defs : {})) {
      definitions.set(name, schema);
    }
    return [[definition.name, root]];
  });
  if (inputs.length === 0) return [];
  const sorted = [...definitions].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const text = `{\n"definitions": ${lines(sorted)},\n"inputs": ${lines(inputs)}\n}\n`;
  return [{ path: `generated/providers/${settings.id}/${fileName}`, text }];
}

/** Where a tool finds its own. */
export function wholeInputsUrl(): Layouts {
  return new Layouts(`new URL(${quoted(`./${fileName}`)}, import.meta.url)`);
}

function lines(entries: readonly (readonly [string, unknown])[]): string {
  const each = entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return each.length === 0 ? '{}' : `{\n${each.join(',\n')}\n}`;
}
