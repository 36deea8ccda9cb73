import { diagnose } from '../diagnostics/diagnose.ts';
import { type Kind, models, type Part, type PublishedTool, type Specs } from './kind/kind.ts';
import { providers } from './providers.ts';
import { surfaces } from './surfaces.ts';

/** Tools lie nowhere by themselves; here is what holds for those of all kinds. */
export const tools: Kind<never> = {
  name: 'tools',
  where: [],
  plan: () => ({ diagnostics: [] }),
  /** Names are unique in the whole server, across providers and surfaces (P002). */
  check(_, specs) {
    const owners = new Map<string, string>();
    return specs.parts.flatMap((part) =>
      toolsOf(part, specs).flatMap(({ definition: { name }, pointer }) => {
        const owner = owners.get(name);
        const { file, place } = part;
        if (owner === undefined) owners.set(name, place.path);
        if (owner === undefined || owner === place.path || file === undefined) return [];
        const at = { ...file.locate(`${pointer}/name`), pointer: `${pointer}/name` };
        return [diagnose('P002', at, `tool name "${name}" is already used in ${owner}`)];
      }),
    );
  },
  async docs(_, specs) {
    const { emitToolsPage } = await import('../emit/docs/docs-tools.ts');
    return [emitToolsPage(models(specs.of(surfaces)), models(specs.of(providers)))];
  },
};

/** What a place publishes as tools. */
export function toolsOf({ kind, model }: Part<unknown>, specs: Specs): readonly PublishedTool[] {
  return model === undefined ? [] : (kind.tools?.(model, specs) ?? []);
}
