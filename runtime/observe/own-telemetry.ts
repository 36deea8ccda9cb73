import type { GuardRecord } from '#contract/telemetry/guard';
import type {
  OwnSample,
  OwnSpan,
  OwnTelemetry,
  OwnTelemetryListener,
} from '#contract/telemetry/own-telemetry';

/** Passes on what the server says of itself to whoever listens; made only where somebody will. */
export class TelemetryFeed implements OwnTelemetry, OwnTelemetryListener {
  readonly #listeners = new Set<OwnTelemetryListener>();
  readonly #samples: () => Promise<readonly OwnSample[]>;

  constructor(samples: () => Promise<readonly OwnSample[]>) {
    this.#samples = samples;
  }

  follow(listener: OwnTelemetryListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  samples(): Promise<readonly OwnSample[]> {
    return this.#samples();
  }

  log(line: string): void {
    for (const listener of this.#listeners) listener.log(line);
  }

  decision(record: GuardRecord): void {
    for (const listener of this.#listeners) listener.decision?.(record);
  }

  span(span: OwnSpan): void {
    for (const listener of this.#listeners) listener.span(span);
  }
}
