import type { Profile } from '../answers/rows.ts';
import { csvText } from './csv.ts';

/** What one function took itself and with all that it called. */
interface FunctionCost {
  readonly name: string;
  self: number;
  total: number;
}

const mostFunctions = 50;

/** The functions that took most themselves. A function that calls itself is counted once. */
function byFunction({ names, nodes }: Profile): readonly FunctionCost[] {
  const costs = new Map<number, FunctionCost>();
  const parents = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) {
    const cost = costs.get(node.name) ?? { name: names[node.name] ?? '', self: 0, total: 0 };
    cost.self += node.self;
    let above = node.parent === null ? undefined : parents.get(node.parent);
    while (above !== undefined && above.name !== node.name) {
      above = above.parent === null ? undefined : parents.get(above.parent);
    }
    if (above === undefined) cost.total += node.total;
    costs.set(node.name, cost);
  }
  return [...costs.values()].sort((a, b) => b.self - a.self).slice(0, mostFunctions);
}

export function profileTable(profile: Profile) {
  const rows = byFunction(profile).map(({ name, self, total }) => [
    String(self),
    String(total),
    name,
  ]);
  return { shared: {}, csv: csvText({ columns: ['self', 'total', 'function'], rows }) };
}

export function summarizeProfile(profile: Profile): Readonly<Record<string, unknown>> {
  const share = (part: number) =>
    profile.total === 0 ? 0 : Number(((100 * part) / profile.total).toFixed(2));
  return {
    total: profile.total,
    functions: byFunction(profile)
      .slice(0, 12)
      .map(({ name, self, total }) => ({
        ...{ name, selfPercent: share(self), totalPercent: share(total) },
      })),
  };
}
