import type {
  ProviderAuth,
  ProviderTls,
} from '../../../../generated/surfaces/observability/types.ts';

/** The four kinds of telemetry (OpenTelemetry calls them signals). */
export const signals = ['log', 'metric', 'trace', 'profile'] as const;

/** Id of what this server keeps itself, among the back ends. */
export const ownId = 'this-server';

export type Signal = (typeof signals)[number];

/** A back end as an operator registers it. */
export interface ProviderDraft {
  /** Unique within a signal. */
  readonly id: string;
  readonly name: string;
  readonly signal: Signal;
  /** Key of a kind of back end, such as `loki` (specs/telemetry). */
  readonly kind: string;
  /** Base URL for queries and health, without a slash at its end. */
  readonly endpoint: string;
  /** Where OTLP goes, in place of what the kind makes of `endpoint`. */
  readonly otlpEndpoint?: string;
  /** The same for what is pushed otherwise. */
  readonly pushUrl?: string;
  /** The tenant within the back end; the kind says in which header it travels. */
  readonly tenantId?: string;
  readonly auth: ProviderAuth;
  readonly tls: ProviderTls;
  /** At most one of a signal; without any, the first enabled one in order. */
  readonly primary: boolean;
  /** Stable place among others: first by this, then by id. */
  readonly order: number;
  readonly enabled: boolean;
  /** Whether telemetry is sent to it. */
  readonly ingest: boolean;
  /** Whether it is asked. */
  readonly query: boolean;
  readonly delivery: 'collector' | 'direct_push';
  readonly justification?: string;
  /** Which spans it gets: all, those of agents, or what an OTTL condition lets through. */
  readonly spanFilter: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A back end of somebody. */
export interface OwnedDraft extends ProviderDraft {
  /** Whose it is, and so whose credentials it may be sent. */
  readonly tenant: string;
}

/** A registered back end. */
export interface ProviderEntry extends OwnedDraft {
  /** Grows by one with each change. */
  readonly version: number;
  /** Changes with each change (RFC 9110 section 8.8.3), in quotes. */
  readonly etag: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly createdBy: string;
  readonly updatedAt: number;
  readonly updatedBy: string;
}

/** All that is registered at one moment, of one tenant, in order. */
export interface RegistrySnapshot {
  readonly providers: readonly ProviderEntry[];
  /** SHA-256 of it in hex: the same registry has the same one. */
  readonly digest: string;
}
