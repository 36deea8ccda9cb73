import type { Caller } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { House } from '#contract/house/house';
import type { Rail } from '#contract/operation';
import { mostCheckoutLines, mostMinorUnits } from '../numbers.ts';
import { atomicAmount } from '../offers/atomic-amount.ts';
import { type Way, ways } from './ways.ts';

/** Uses of one tool in a checkout session. */
export interface Line {
  readonly id: string;
  /** Name of the tool. */
  readonly tool: string;
  readonly title: string;
  /** What one use costs, in cents of the dollar. */
  readonly unit: number;
  readonly quantity: number;
  /** By what the price of the tool can be paid; all that is set up when absent. */
  readonly rails?: readonly Rail[];
  /** Blocks after the one of the payment before it counts. */
  readonly confirmations?: number;
}

/** Something that somebody wants. */
export interface Wanted {
  /** Name of a tool. */
  readonly id: string;
  readonly quantity: number;
  /** Where it stands in the request, for whoever is told that it cannot be had. */
  readonly param: string;
}

/**
 * Find what somebody wants, with its prices.
 *
 * @throws ServiceError 400 `invalid_item_id` where something cannot be had, with its place in `param`
 */
export async function linesOf(
  wanted: readonly Wanted[],
  caller: Caller,
  { tools }: Pick<House, 'tools'>,
): Promise<readonly Line[]> {
  const merged = new Map<string, Wanted>();
  for (const each of wanted) {
    const quantity = (merged.get(each.id)?.quantity ?? 0) + each.quantity;
    merged.set(each.id, { ...each, quantity });
  }
  if (merged.size > mostCheckoutLines) {
    const message = `a session holds ${mostCheckoutLines} different things at most`;
    throw new ServiceError('quantity_exceeded', 400, message);
  }
  const lines: Line[] = [];
  for (const { id, quantity, param } of merged.values()) {
    const found = await tools.definition(id, caller.tenant);
    const tool = found && tools.seenBy(caller, found);
    const price = tool?.price;
    const unit = price && atomicAmount(price.amount, 2);
    if (tool === undefined || price === undefined || unit === undefined) {
      throw unavailable(id, param, tool !== undefined && price !== undefined);
    }
    lines.push({
      ...{ id: `line_${lines.length + 1}`, tool: id, title: tool.title ?? id },
      ...{ unit: Number(unit), quantity },
      ...(price.rails && { rails: price.rails }),
      ...(price.confirmations && { confirmations: price.confirmations }),
    });
  }
  requireOneWay(lines, wanted);
  if (totalOf(lines) > mostMinorUnits) {
    throw new ServiceError('maximum_exceeded', 400, 'all of it together costs too much');
  }
  return lines;
}

/** A session is paid at once, so that there has to be one way that all of its prices name. */
function requireOneWay(lines: readonly Line[], wanted: readonly Wanted[]): void {
  const waysOf = ({ rails }: Line) => ways.filter((way) => rails?.includes(way) ?? true);
  const left = lines.reduce<readonly Way[]>(
    (common, line) => common.filter((way) => waysOf(line).includes(way)),
    ways,
  );
  if (left.length > 0) return;
  const named = lines.filter((line) => waysOf(line).length < ways.length);
  const told = named.map((line) => {
    const by = waysOf(line).map((way) => words[way]);
    return `${line.tool} is paid ${by[0] ?? 'by call'} alone`;
  });
  const { tool = '' } = named.at(-1) ?? {};
  const param = wanted.find(({ id }) => id === tool)?.param ?? '';
  const message = `these cannot be paid together: ${told.join(', ')}`;
  throw new ServiceError('items_not_payable_together', 400, message, { detail: { param } });
}

const words: Readonly<Record<Way, string>> = { card: 'by card', x402: 'on a chain' };

/** What all of them cost, in cents of the dollar. */
export function totalOf(lines: readonly Pick<Line, 'unit' | 'quantity'>[]): number {
  return lines.reduce((sum, { unit, quantity }) => sum + unit * quantity, 0);
}

/** A sum as people read it: 200 cents are `2.00 USD`. */
export function dollars(cents: number): string {
  return `${decimal(cents)} USD`;
}

/** Dollars of so many cents, as a decimal. */
export function decimal(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

function unavailable(id: string, param: string, isTooCheap: boolean): ServiceError {
  const message = isTooCheap
    ? `one use of ${id} costs no whole cents, so that it is paid by call alone`
    : `there is no tool ${JSON.stringify(id)} with a price`;
  return new ServiceError('invalid_item_id', 400, message, { detail: { param } });
}
