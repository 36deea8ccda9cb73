import type { Json } from '#contract/json';
import type { ProviderEntry, Signal } from '../registry/provider-entry.ts';
import type { LeftOut } from './left-out.ts';

/** The settings of one component of the collector. */
export interface ComponentSettings {
  readonly [name: string]: Json;
}

export type Components = Readonly<Record<string, ComponentSettings>>;

export interface Pipeline {
  readonly receivers: readonly string[];
  readonly processors: readonly string[];
  readonly exporters: readonly string[];
}

/** The file of an OpenTelemetry Collector, its components by their ids (`type` or `type/name`). */
export interface CollectorFile {
  readonly extensions: Components;
  readonly receivers: Components;
  readonly processors: Components;
  readonly exporters: Components;
  readonly service: {
    readonly extensions: readonly string[];
    readonly telemetry: ComponentSettings;
    readonly pipelines: Readonly<Record<string, Pipeline>>;
  };
}

/** What the collector calls the signals, in the order of the file. */
export const pipelineSignals: Readonly<Record<Signal, PipelineSignal>> = {
  log: 'logs',
  metric: 'metrics',
  trace: 'traces',
  profile: 'profiles',
};

export type PipelineSignal = 'logs' | 'metrics' | 'traces' | 'profiles';

/** A file, as text and as what is known of it. */
export interface GeneratedFile {
  readonly text: string;
  /** Of the text, in hex. */
  readonly sha256: string;
  readonly file: CollectorFile;
  readonly exporterRefs: Readonly<Record<PipelineSignal, readonly string[]>>;
  /** `<signal>/<id>` of each back end that it sends to. */
  readonly providerIds: readonly string[];
  readonly providers: readonly ProviderEntry[];
  /** Back ends that nothing may be sent to, and that it is made without. */
  readonly leftOut: readonly LeftOut[];
  /** Digest of the registry that it was made from. */
  readonly registry: string;
  readonly warnings: readonly string[];
}
