import type { GuardRecord } from '#contract/telemetry/guard';
import type { OwnSpan, OwnTelemetryListener } from '#contract/telemetry/own-telemetry';
import type { Metrics } from '../metrics.ts';
import type { createLosses } from './losses.ts';
import type { OtlpSettings } from './otlp-settings.ts';
import type { Pipelines } from './pipelines.ts';

/** Sends what the server says of itself by OTLP. The SDK is loaded when the server starts, not before. */
export class OtlpExport implements OwnTelemetryListener {
  readonly #settings: OtlpSettings;
  readonly #metrics: Pick<Metrics, 'collect'>;
  readonly #fateOf: ReturnType<typeof createLosses>;
  #pipelines: Pipelines | undefined;

  constructor(
    settings: OtlpSettings,
    metrics: Pick<Metrics, 'collect'>,
    fateOf: ReturnType<typeof createLosses>,
  ) {
    this.#settings = settings;
    this.#metrics = metrics;
    this.#fateOf = fateOf;
  }

  async start(): Promise<void> {
    const { openPipelines } = await import('./pipelines.ts');
    this.#pipelines = openPipelines(this.#settings, () => this.#metrics.collect(), this.#fateOf);
  }

  async stop(): Promise<void> {
    const pipelines = this.#pipelines;
    this.#pipelines = undefined;
    await pipelines?.close();
  }

  log(): void {
    // The lines of the log are collected where they are written.
  }

  span(span: OwnSpan): void {
    this.#pipelines?.span(span);
  }

  decision(record: GuardRecord): void {
    this.#pipelines?.decision(record);
  }
}
