import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { suggestion } from '../diagnostics/suggestion.ts';
import {
  type Demand,
  demandedScopes,
  impliedScopes,
  namedBy,
  planScopes,
  type ScopesFile,
  type ScopesModel,
} from '../model/house/scopes.ts';
import { models, type Part, type Specs } from './kind/kind.ts';
import { yamlKind } from './kind/yaml-kind.ts';
import { providers } from './providers.ts';
import { surfaces } from './surfaces.ts';

/** What a caller can be allowed to do. */
export const scopes = yamlKind<ScopesFile, ScopesModel>({
  name: 'scopes',
  where: ['specs/scopes.yaml', 'specs/surfaces/<id>/scopes.yaml'],
  schema: 'scopes',
  plan: planScopes,
  check: (parts, specs) => [
    ...repeated(parts),
    ...unknown(parts, specs),
    ...impliesNothing(parts),
    ...unused(parts, specs),
  ],
  async merge(parts, specs) {
    const { emitScopes } = await import('../emit/house/scopes.ts');
    return [emitScopes(models(parts), models(specs.of(providers)))];
  },
});

function declared(parts: readonly Part<ScopesModel>[]): readonly string[] {
  return models(parts).flatMap((model) => model.scopes.map(({ name }) => name));
}

function demandsOf(specs: Specs): readonly Pick<Demand, 'access'>[] {
  return [
    ...models(specs.of(surfaces)).flatMap(({ demands }) => demands),
    ...models(specs.of(providers)).flatMap(({ tools }) => tools.map((tool) => tool.definition)),
  ];
}

function unknown(parts: readonly Part<ScopesModel>[], specs: Specs): Diagnostic[] {
  const known = declared(parts);
  return models(specs.of(surfaces)).flatMap(({ demands }) =>
    demands.flatMap((demand) =>
      demandedScopes(demand)
        .filter((scope) => !known.includes(scope))
        .map((scope) => {
          const message = `nobody declares the scope ${JSON.stringify(scope)}`;
          return diagnose('SCOPE001', demand.at, message, { help: suggestion(scope, known) });
        }),
    ),
  );
}

function impliesNothing(parts: readonly Part<ScopesModel>[]): Diagnostic[] {
  const known = declared(parts);
  return parts.flatMap(({ model, file }) =>
    (model?.scopes ?? []).flatMap(({ name, implies }) =>
      implies.flatMap((entry, index) => {
        if (namedBy(entry, known).length > 0 || file === undefined) return [];
        const pointer = `/scopes/${name}/implies/${index}`;
        const message = `${name} implies ${JSON.stringify(entry)}, but nobody declares such a scope`;
        const help = suggestion(entry, known);
        return [diagnose('SCOPE004', { ...file.locate(pointer), pointer }, message, { help })];
      }),
    ),
  );
}

function unused(parts: readonly Part<ScopesModel>[], specs: Specs): Diagnostic[] {
  const used = new Set(demandsOf(specs).flatMap(demandedScopes));
  const implied = impliedScopes(models(parts).flatMap((model) => model.scopes));
  return parts.flatMap(({ model, file }) =>
    (model?.scopes ?? []).flatMap(({ name, inCode }) => {
      const isUsed = [name, ...(implied.get(name) ?? [])].some((each) => used.has(each));
      if (isUsed || inCode || file === undefined) return [];
      const pointer = `/scopes/${name}`;
      const message = `nothing demands the scope ${name}`;
      return [diagnose('SCOPE002', { ...file.locate(pointer), pointer }, message)];
    }),
  );
}

function repeated(parts: readonly Part<ScopesModel>[]): Diagnostic[] {
  const owners = new Map<string, string>();
  return parts.flatMap(({ model, file, place }) =>
    (model?.scopes ?? []).flatMap(({ name }) => {
      const owner = owners.get(name);
      owners.set(name, owner ?? place.path);
      if (owner === undefined || file === undefined) return [];
      const pointer = `/scopes/${name}`;
      const message = `the scope ${name} stands in ${owner} too`;
      return [diagnose('SCOPE003', { ...file.locate(pointer), pointer }, message)];
    }),
  );
}
