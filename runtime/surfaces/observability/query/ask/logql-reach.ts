/** What a query of LogQL reads besides the time that it is asked for. */
export interface LogqlReach {
  /** Its selectors of streams, each once. */
  readonly selectors: readonly string[];
  /** Nanoseconds that it reads from before the start: its longest window, and its largest offset. */
  readonly back: bigint;
  /** Nanoseconds that an offset leads beyond the end. */
  readonly ahead: bigint;
}

/** Texts and comments are passed over, since braces and brackets stand in them too. */
const passedOver = /"(?:[^"\\]|\\.)*"|`[^`]*`|#[^\n]*/.source;
const selector = /(?<selector>\{(?:[^"`{}]|"(?:[^"\\]|\\.)*"|`[^`]*`)*\})/.source;
const spans = /(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|[smhdwy]))+/.source;
const parts = new RegExp(
  `${passedOver}|${selector}|\\[\\s*(?<window>${spans})\\s*\\]|\\boffset\\s+(?<offset>-?${spans})`,
  'gi',
);
/** Further back there is nothing. */
const mostNs = 1e18;

/** Say what a query of LogQL reads. */
export function reachOf(query: string): LogqlReach {
  const found = [...query.matchAll(parts)].map(({ groups }) => groups ?? {});
  const windows = found.flatMap(({ window }) => (window ? nsOf(window) : []));
  const offsets = found.flatMap(({ offset }) => (offset ? nsOf(offset) : []));
  return {
    selectors: [...new Set(found.flatMap(({ selector }) => selector ?? []))],
    back: most(windows) + most(offsets),
    ahead: most(offsets.map((each) => -each)),
  };
}

function most(values: readonly bigint[]): bigint {
  return values.reduce((largest, each) => (each > largest ? each : largest), 0n);
}

const unitsNs: Readonly<Record<string, number>> = {
  ...{ ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, m: 6e10, h: 3.6e12 },
  ...{ d: 8.64e13, w: 6.048e14, y: 3.1536e16 },
};

function nsOf(text: string): bigint {
  const sign = text.startsWith('-') ? -1n : 1n;
  const spans = [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|[smhdwy])/gi)];
  const ns = spans.reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (unitsNs[unit.toLowerCase()] ?? 0),
    0,
  );
  return sign * BigInt(Math.round(Math.min(ns, mostNs)));
}
