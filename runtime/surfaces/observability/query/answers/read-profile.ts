import { valueAt } from '#contract/json';
import { type Content, type ProfileNode, UnusableAnswer } from './rows.ts';
import { visibleText } from './visible-text.ts';

const mostNodes = 20_000;
/** Each node of a level takes four numbers: offset, total, self, place of its name. */
const perNode = 4;

/**
 * A flame graph by levels (Pyroscope, SelectMergeStacktraces): offsets count from the end of the node
 * before, and a node stands above whatever it covers on the next level.
 */
export function readFlamegraph(graph: unknown): Content {
  const names = valueAt(graph, ['names']);
  const levels = valueAt(graph, ['levels']);
  if (names === undefined && levels === undefined) {
    return { holds: 'profile', profile: { total: 0, names: [], nodes: [] } };
  }
  if (!Array.isArray(names) || !Array.isArray(levels)) {
    throw new UnusableAnswer('the flame graph has no names or no levels');
  }
  const nodes: ProfileNode[] = [];
  let above: Placed[] = [];
  for (const level of levels) {
    const placed: Placed[] = [];
    let at = 0;
    for (const [offset, total, self, name] of nodesOf(level)) {
      at += offset;
      const parent = above.find(({ from, to }) => at >= from && at < to) ?? above.at(-1);
      const id = nodes.length;
      nodes.push({ id, parent: parent?.id ?? null, name, self, total });
      placed.push({ id, from: at, to: at + total });
      at += total;
    }
    above = placed;
    if (nodes.length > mostNodes) {
      throw new UnusableAnswer(`the flame graph has more than ${mostNodes} nodes`);
    }
  }
  const total = Number(valueAt(graph, ['total']) ?? nodes[0]?.total ?? 0);
  return {
    holds: 'profile',
    profile: { total, names: names.map((name) => visibleText(String(name))), nodes },
  };
}

interface Placed {
  readonly id: number;
  readonly from: number;
  readonly to: number;
}

function nodesOf(level: unknown): [number, number, number, number][] {
  const values = valueAt(level, ['values']);
  if (!Array.isArray(values) || values.length % perNode !== 0) {
    throw new UnusableAnswer('a level of the flame graph is no list of groups of four numbers');
  }
  const nodes: [number, number, number, number][] = [];
  for (let index = 0; index < values.length; index += perNode) {
    // 64-bit numbers come as texts (protobuf, JSON mapping).
    const [offset, total, self, name] = values.slice(index, index + perNode).map(Number);
    if (![offset, total, self, name].every(Number.isFinite)) {
      throw new UnusableAnswer('a level of the flame graph holds something else than numbers');
    }
    nodes.push([offset ?? 0, total ?? 0, self ?? 0, name ?? 0]);
  }
  return nodes;
}
