import { routeTarget, toolTarget } from '#contract/payment/target';
import { diagnose } from '../diagnostics/diagnose.ts';
import { suggestion } from '../diagnostics/suggestion.ts';
import { type PricesFile, type PricesModel, planPrices } from '../model/house/prices.ts';
import { schemaText } from '../read/text/checked-yaml.ts';
import { escapeStep } from '../read/text/json-pointer.ts';
import { models, type Specs } from './kind/kind.ts';
import { yamlKind } from './kind/yaml-kind.ts';
import { surfaces } from './surfaces.ts';

/** What routes and tools of the server itself cost. */
export const prices = yamlKind<PricesFile, PricesModel>({
  name: 'prices',
  where: ['specs/prices.yaml'],
  schema: 'prices',
  plan: planPrices,
  check(parts, specs) {
    const sold = targetsOf(specs);
    return parts.flatMap(({ model, file }) =>
      Object.keys(model?.prices ?? {}).flatMap((target) => {
        if (sold.includes(target) || file === undefined) return [];
        const pointer = `/prices/${escapeStep(target)}`;
        const message = `there is no ${JSON.stringify(target)} that could have a price`;
        const help = suggestion(target, sold);
        return [diagnose('PRICE001', { ...file.locate(pointer), pointer }, message, { help })];
      }),
    );
  },
  async merge(parts) {
    const [{ emitPrices }, { emitPolicySchema }] = await Promise.all([
      import('../emit/house/prices.ts'),
      import('../emit/house/policy-schema.ts'),
    ]);
    return [
      emitPrices({
        prices: Object.assign({}, ...models(parts).map(({ prices }) => prices)),
        spending: Object.assign({}, ...models(parts).map(({ spending }) => spending)),
      }),
      emitPolicySchema(schemaText('policy'), schemaText('operation')),
    ];
  },
});

/** All that surfaces offer. */
function targetsOf(specs: Specs): readonly string[] {
  return models(specs.of(surfaces)).flatMap(({ routes, tools }) => [
    ...routes.map(routeTarget),
    ...tools.map(toolTarget),
  ]);
}
