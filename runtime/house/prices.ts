import { ConfigError } from '#contract/config/config';
import { didYouMean } from '#contract/nearest-name';
import type { Operation, Price } from '#contract/operation';
import type { PriceList } from '#contract/payment/price-list';
import { planSpending, type RawSpending, type SpendingRules } from '#contract/payment/spending';
import { routeTarget, toolTarget } from '#contract/payment/target';
import type { Route } from '#contract/surface/route';
import type { BoundRoute } from '#contract/surface/surface';
import type { Tool } from '#contract/tool';
import type { ToolSource } from '../offer/catalogue.ts';
import { type Policy, policyVariable } from './policy.ts';
import { spendingScope } from './spending-consent.ts';

/**
 * What things cost. A price is put on an operation before anything else sees it, so that what is
 * advertised anywhere is what is charged.
 */
export class Prices implements PriceList {
  readonly routes: Route[] = [];
  readonly spending: SpendingRules;
  readonly #listed: Policy['prices'];
  readonly #policy: Policy['prices'];
  readonly #offered = new Set<string>();

  /**
   * @param own prices of the specs, by target, and their rules
   * @param policy those of the operator; both win over a price that stands with the operation itself
   */
  constructor(
    own: { readonly prices: Readonly<Record<string, Price>>; readonly spending: RawSpending },
    policy: Policy = { prices: {}, spending: {} },
  ) {
    this.#listed = { ...own.prices, ...policy.prices };
    this.#policy = policy.prices;
    this.spending = planSpending(own.spending, policy.spending);
  }

  /** What the specs and the operator have set a price for, by target, whether it is offered or not. */
  get set(): Readonly<Record<string, Price>> {
    const priced = Object.entries(this.#listed).flatMap(([target, price]) =>
      price === 'free' ? [] : [[target, price] as const],
    );
    return Object.fromEntries(priced);
  }

  /** The routes with their prices. */
  onRoutes(bound: readonly BoundRoute[]): readonly BoundRoute[] {
    return bound.map((each) => {
      const target = routeTarget(each.route);
      this.#offered.add(target);
      const route = this.#priced(each.route, target);
      if (route.price) this.routes.push(route);
      return route === each.route ? each : { ...each, route };
    });
  }

  /** The tools of a source with their prices; those that no list names keep the one of their own. */
  onTools<Source extends ToolSource>(source: Source): Source {
    for (const [name] of source.tools) this.#offered.add(toolTarget({ name }));
    const tools = source.tools.map(([name, load]) => {
      const target = toolTarget({ name });
      if (!(target in this.#listed)) return [name, async () => sold(await load())] as const;
      return [name, async () => this.#onTool(await load(), target)] as const;
    });
    return { ...source, tools };
  }

  /**
   * Once everything that is offered was given its price: what would be sold for nothing because of a
   * slip of the pen stops the start.
   *
   * @throws ConfigError
   */
  requireAllOffered(): void {
    const vital = this.routes.filter(({ isVital }) => isVital).map(routeTarget);
    if (vital.length > 0) throw new ConfigError(vital.map(unsellable));
    const { budgets, plans } = this.spending;
    const named = [...budgets, ...plans].flatMap(({ on = [] }) => on);
    const unknown = [...new Set([...Object.keys(this.#policy), ...named])].filter(
      (target) => !this.#offered.has(target),
    );
    if (unknown.length === 0) return;
    throw new ConfigError(
      unknown.map((target) => ({
        variable: policyVariable,
        expected: 'prices of what this server offers',
        received: `${JSON.stringify(target)}, which it does not${didYouMean(target, this.#offered)}`,
      })),
    );
  }

  #onTool(tool: Tool, target: string): Tool {
    return {
      ...tool,
      definition: this.#priced(tool.definition, target),
      call: (args, context) => tool.call(args, context),
    };
  }

  #priced<Sold extends Operation>(operation: Sold, target: string): Sold {
    const listed = this.#listed[target];
    if (listed === undefined) return operation;
    const { price: _, ...free } = operation;
    if (listed === 'free') return free as Sold;
    return { ...operation, access: payingAccess(operation), price: listed };
  }
}

/** Strangers pay for what is public; who lets an agent pay for more has to be asked. */
function payingAccess({ access }: Operation): Operation['access'] {
  return access === 'public' ? access : [...new Set([...access, spendingScope])];
}

/** A tool whose price stands with it, as that of a vendor does in its curation. */
function sold(tool: Tool): Tool {
  const { definition } = tool;
  if (definition.price === undefined) return tool;
  return {
    ...tool,
    definition: { ...definition, access: payingAccess(definition) },
    call: (args, context) => tool.call(args, context),
  };
}

/** Whoever watches over this server does not pay, and takes an answer 402 for a failure. */
function unsellable(target: string) {
  const expected = 'no price for what says whether this server works';
  return { variable: policyVariable, expected, received: JSON.stringify(target) };
}
