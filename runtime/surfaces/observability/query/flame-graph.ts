import type { Span } from './answers/rows.ts';
import { milliseconds } from './write/trace-rows.ts';

/** A span among others, with the time in which none of its children was at work. */
interface Node {
  readonly span: Span;
  readonly parent: string | null;
  readonly depth: number;
  readonly selfNs: bigint;
}

/** Say where the time of a trace went. */
export function flameGraph(spans: readonly Span[], mostSelfLimit: number, maxNodes: number) {
  const nodes = treeOf(spans);
  const start = spans.reduce<bigint | undefined>(
    (least, span) => (least === undefined || span.start < least ? span.start : least),
    undefined,
  );
  const end = spans.reduce((latest, { start: begun, durationNs }) => {
    const own = begun + durationNs;
    return own > latest ? own : latest;
  }, start ?? 0n);
  return {
    traceId: spans[0]?.traceId ?? '',
    durationMs: milliseconds(end - (start ?? end)),
    spanCount: spans.length,
    errorCount: spans.filter(({ isError }) => isError).length,
    services: [...new Set(spans.map(({ service }) => service))],
    mostSelf: mostSelf(nodes, mostSelfLimit),
    nodes: nodes.slice(0, maxNodes).map(({ span, parent, depth, selfNs }) => ({
      ...{ id: span.spanId, parent, depth, service: span.service, name: span.name },
      offsetMs: milliseconds(span.start - (start ?? 0n)),
      durationMs: milliseconds(span.durationNs),
      selfMs: milliseconds(selfNs),
      ...(span.isError && { error: true }),
    })),
    truncated: nodes.length > maxNodes,
  };
}

/** Parents before their children, which come in the order of their begin; a cycle is cut open. */
function treeOf(spans: readonly Span[]): Node[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const children = new Map<string | null, Span[]>();
  for (const span of spans) {
    const { parentId } = span;
    const isKnown = parentId !== undefined && ids.has(parentId) && parentId !== span.spanId;
    const parent = isKnown ? parentId : null;
    children.set(parent, [...(children.get(parent) ?? []), span]);
  }
  const nodes: Node[] = [];
  const placed = new Set<string>();
  const place = (span: Span, parent: string | null, depth: number) => {
    const waiting = [{ span, parent, depth }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (placed.has(next.span.spanId)) continue;
      placed.add(next.span.spanId);
      const own = (children.get(next.span.spanId) ?? []).toSorted(byStart);
      nodes.push({ ...next, selfNs: selfOf(next.span, own) });
      const { spanId } = next.span;
      const { depth: level } = next;
      // The last one that is put down is taken up first.
      for (const child of own.toReversed())
        waiting.push({ span: child, parent: spanId, depth: level + 1 });
    }
  };
  for (const root of (children.get(null) ?? []).toSorted(byStart)) place(root, null, 0);
  for (const span of spans) if (!placed.has(span.spanId)) place(span, null, 0);
  return nodes;
}

function byStart(a: Span, b: Span): number {
  if (a.start === b.start) return a.spanId < b.spanId ? -1 : 1;
  return a.start < b.start ? -1 : 1;
}

/** What of a span no child covers; children that run at the same time are counted once. */
function selfOf({ start, durationNs }: Span, children: readonly Span[]): bigint {
  const end = start + durationNs;
  let covered = 0n;
  let at = start;
  for (const child of children) {
    const from = child.start > at ? child.start : at;
    const childEnd = child.start + child.durationNs;
    const to = childEnd < end ? childEnd : end;
    if (to <= from) continue;
    covered += to - from;
    at = to;
  }
  return durationNs - covered;
}

function mostSelf(nodes: readonly Node[], limit: number) {
  const sums = new Map<string, { service: string; name: string; selfNs: bigint; count: number }>();
  for (const { span, selfNs } of nodes) {
    const key = `${span.service}\n${span.name}`;
    const known = sums.get(key) ?? { service: span.service, name: span.name, selfNs: 0n, count: 0 };
    sums.set(key, { ...known, selfNs: known.selfNs + selfNs, count: known.count + 1 });
  }
  return [...sums.values()]
    .sort((a, b) => Number(b.selfNs - a.selfNs))
    .slice(0, limit)
    .map(({ service, name, selfNs, count }) => ({
      service,
      name,
      selfMs: milliseconds(selfNs),
      count,
    }));
}

/** A trace that is always there: what a checkout does, with a slow payment that fails. */
export const demoSpans: readonly Span[] = [
  demo(1, undefined, 'frontend', 'POST /checkout', 0, 480, true),
  demo(2, 1, 'checkout', 'place order', 12, 455, true),
  demo(3, 2, 'cart', 'read cart', 20, 35),
  demo(4, 2, 'payment', 'charge card', 70, 330, true),
  demo(5, 4, 'payment', 'POST bank.example', 80, 310, true),
  demo(6, 2, 'email', 'send receipt', 410, 40),
];

function demo(
  id: number,
  parent: number | undefined,
  service: string,
  name: string,
  ...[startMs, lastsMs, isError = false]: readonly [number, number, boolean?]
): Span {
  const spanIdOf = (number: number) => number.toString(16).padStart(16, '0');
  return {
    traceId: 'de300000000000000000000000000000',
    spanId: spanIdOf(id),
    ...(parent !== undefined && { parentId: spanIdOf(parent) }),
    ...{ name, service, isError, attributes: {} },
    start: 1_790_000_000_000_000_000n + BigInt(startMs) * 1_000_000n,
    durationNs: BigInt(lastsMs) * 1_000_000n,
  };
}
