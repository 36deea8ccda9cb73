import type { TraceContext } from '#contract/trace';

/** Names of OpenTelemetry's samplers (SDK environment variables, OTEL_TRACES_SAMPLER). */
export type SamplerName =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio';

/** Says whether a trace is recorded, before anything of it is. */
export type Sample = (parent: TraceContext | undefined) => boolean;

/** Make a sampler; `ratio` is the part of all traces, from 0 to 1, that those with one record. */
export function sampler(name: SamplerName, ratio: number): Sample {
  const root = roots[name.replace('parentbased_', '') as RootName](ratio);
  if (!name.startsWith('parentbased_')) return root;
  return (parent) => (parent === undefined ? root(parent) : isSampled(parent));
}

type RootName = 'always_on' | 'always_off' | 'traceidratio';

const roots: Readonly<Record<RootName, (ratio: number) => Sample>> = {
  always_on: () => () => true,
  always_off: () => () => false,
  traceidratio: (ratio) => (parent) => (parent ? share(parent) : Math.random()) < ratio,
};

/** Where in all ids an id lies, from 0 to 1: the last 7 bytes of it are random (W3C Trace Context, level 2). */
function share({ traceparent }: TraceContext): number {
  return Number.parseInt(traceparent.slice(22, 35), 16) / 16 ** 13;
}

/** The lowest bit of the flags (W3C Trace Context 3.2.2.5.1). */
function isSampled({ traceparent }: TraceContext): boolean {
  return (Number.parseInt(traceparent.slice(-1), 16) & 1) === 1;
}
