/** Where profiles of this server go (Pyroscope, `/ingest`). */
export interface ProfileSettings {
  readonly address: string;
  /** Letters, digits, hyphens and underscores. */
  readonly application: string;
  readonly version: string;
  /** The whole value of the header. */
  readonly authorization: string | undefined;
  readonly tenant: string | undefined;
  readonly intervalMs: number;
}
