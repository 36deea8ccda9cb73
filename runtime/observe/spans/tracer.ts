import type { OwnSpan } from '#contract/telemetry/own-telemetry';
import type { OpenSpan, SpanKind } from '#contract/telemetry/span';
import { childOf, spanIdOf, type TraceContext, traceIdOf } from '#contract/trace';
import { clock } from '../../process/clock.ts';
import { randomId } from './random-id.ts';
import type { Sample } from './sampling.ts';

/** Takes spans that are over. It may neither throw nor wait. */
export type TakeSpan = (span: OwnSpan) => void;

/** What a piece of work begins with. */
export interface Beginning {
  readonly name: string;
  readonly kind: SpanKind;
  /** The trace that it belongs to; it begins one of its own without. */
  readonly parent?: TraceContext | undefined;
  /** Another trace that it has to do with. */
  readonly link?: TraceContext | undefined;
}

/** Records the work of this server, as far as it is sampled. */
export class Tracer {
  readonly #sample: Sample;
  readonly #take: TakeSpan;

  constructor(sample: Sample, take: TakeSpan) {
    this.#sample = sample;
    this.#take = take;
  }

  /** Whether work of this trace is recorded: asked first, for most of it may not be. */
  samples(parent: TraceContext | undefined): boolean {
    return this.#sample(parent);
  }

  /** Begin a piece of work that is sampled. */
  begin(beginning: Beginning): RunningSpan {
    return new RunningSpan(this.#take, beginning);
  }
}

const spanBytes = 8;
const traceBytes = 16;

class RunningSpan implements OpenSpan {
  readonly context: TraceContext;
  /** Whose work it is, once that is known. */
  tenant: string | undefined;
  readonly #take: TakeSpan;
  readonly #beginning: Beginning;
  readonly #spanId = randomId(spanBytes);
  readonly #attributes: Record<string, string> = {};
  readonly #startedAt = clock.now();
  #isOver = false;

  constructor(take: TakeSpan, beginning: Beginning) {
    this.#take = take;
    this.#beginning = beginning;
    const root = `00-${randomId(traceBytes)}-${this.#spanId}-01`;
    this.context =
      beginning.parent === undefined
        ? { traceparent: root }
        : sampled(childOf(beginning.parent, this.#spanId));
  }

  set(name: string, value: string): void {
    this.#attributes[name] = value;
  }

  begin(name: string, kind: SpanKind): OpenSpan {
    const part = new RunningSpan(this.#take, { name, kind, parent: this.context });
    part.tenant = this.tenant;
    return part;
  }

  end(errorType?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { name, kind, parent, link } = this.#beginning;
    if (errorType !== undefined) this.#attributes['error.type'] = errorType;
    this.#take({
      ...{ traceId: traceIdOf(this.context), spanId: this.#spanId, name, kind },
      ...(parent && { parentId: spanIdOf(parent) }),
      startMs: clock.timeOrigin + this.#startedAt,
      durationMs: clock.now() - this.#startedAt,
      ...(errorType !== undefined && { errorType }),
      attributes: this.#attributes,
      ...(this.tenant !== undefined && { tenant: this.tenant }),
      ...(link && { links: [{ traceId: traceIdOf(link), spanId: spanIdOf(link) }] }),
      ...(parent?.tracestate !== undefined && { tracestate: parent.tracestate }),
    });
  }
}

export type { RunningSpan };

/** Whoever decides for itself says so to those after it. */
function sampled({ traceparent, ...rest }: TraceContext): TraceContext {
  return { traceparent: `${traceparent.slice(0, 53)}01`, ...rest };
}
