import { impliedScopes, type ScopesModel } from '../../model/house/scopes.ts';
import type { ProviderModel } from '../../model/shape/provider-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { literal } from '../print/literal.ts';
import { constant, printSourceFile } from '../print/source-file.ts';

/** Print every right of this server: the declared ones, and two for each vendor with a credential. */
export function emitScopes(
  models: readonly ScopesModel[],
  providers: readonly ProviderModel[],
): EmittedFile {
  const declared = models.flatMap(({ scopes }) => scopes);
  const implied = impliedScopes(declared);
  const own = declared.map(({ name, consent, tier }) => {
    const implies = implied.get(name) ?? [];
    return [name, { consent, tier, ...(implies.length > 0 && { implies }) }];
  });
  const value = Object.fromEntries([...own, ...providers.flatMap(vendorScopes)]);
  return printSourceFile({
    path: 'generated/scopes.ts',
    source: 'specs',
    imports: [{ from: '#contract/scope', types: ['ScopeCatalogue'] }],
    statements: [
      constant({
        name: 'scopes',
        type: 'ScopeCatalogue',
        docs: ['What a caller can be allowed to do.'],
        value: literal(value),
      }),
    ],
  });
}

/** Nobody gets those of a vendor without having asked for them. */
function vendorScopes({ settings: { id, title, auth }, tools }: ProviderModel) {
  const hasConnections = auth.some((scheme) => scheme.type !== 'none' && scheme.connect);
  const means = hasConnections
    ? 'with the account that you connect, or else the credential of this server'
    : 'with the credential of this server';
  const used = new Set(
    tools.flatMap(({ definition: { access } }) => (access === 'public' ? [] : access)),
  );
  const sentences: readonly (readonly [name: string, consent: string])[] = [
    [`provider:${id}:read`, `Read from ${title} ${means}`],
    [`provider:${id}:write`, `Change things in ${title} ${means}`],
  ];
  return sentences
    .filter(([name]) => used.has(name))
    .map(([name, consent]) => [name, { consent, tier: 'ask' }] as const);
}
