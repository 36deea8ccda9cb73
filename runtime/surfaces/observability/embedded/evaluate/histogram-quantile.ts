import { keyOf, type Labels, pick, type Sample } from './samples.ts';

interface Bucket {
  readonly bound: number;
  readonly count: number;
}

/** The value below which a share of what was counted lies (Prometheus, histogram_quantile). */
export function histogramQuantile(share: number, samples: readonly Sample[]): Sample[] {
  const groups = new Map<string, { labels: Labels; buckets: Bucket[] }>();
  for (const { labels, value } of samples) {
    const { le } = labels;
    const bound = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le);
    if (le === undefined || le === '' || Number.isNaN(bound)) continue;
    const rest = pick(labels, ['le'], true);
    const key = keyOf(rest);
    const group = groups.get(key) ?? { labels: rest, buckets: [] };
    group.buckets.push({ bound, count: value });
    groups.set(key, group);
  }
  return [...groups.values()].map(({ labels, buckets }) => ({
    labels,
    value: bucketQuantile(share, buckets),
  }));
}

function bucketQuantile(share: number, given: readonly Bucket[]): number {
  if (Number.isNaN(share)) return Number.NaN;
  if (share < 0) return Number.NEGATIVE_INFINITY;
  if (share > 1) return Number.POSITIVE_INFINITY;
  const buckets = growing([...given].sort((a, b) => a.bound - b.bound));
  const top = buckets.at(-1);
  if (top === undefined || buckets.length < 2 || top.bound !== Number.POSITIVE_INFINITY) {
    return Number.NaN;
  }
  if (!(top.count > 0)) return Number.NaN;
  const rank = share * top.count;
  const found = buckets.slice(0, -1).findIndex(({ count }) => count >= rank);
  const place = found < 0 ? buckets.length - 1 : found;
  const { bound, count } = buckets[place] ?? top;
  const before = buckets[place - 1];
  if (place === buckets.length - 1) return before?.bound ?? Number.NaN;
  if (before === undefined) return bound <= 0 ? bound : bound * (rank / count);
  const share0 = (rank - before.count) / (count - before.count);
  return before.bound + (bound - before.bound) * share0;
}

/** Buckets are read one after the other while they are counted in: one may seem to have shrunk. */
function growing(buckets: readonly Bucket[]): Bucket[] {
  let most = Number.NEGATIVE_INFINITY;
  return buckets.map(({ bound, count }) => {
    most = Math.max(most, count);
    return { bound, count: most };
  });
}
