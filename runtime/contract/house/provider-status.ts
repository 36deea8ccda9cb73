/** An enabled provider, as `service_status` reports it. */
export interface ProviderStatus {
  readonly id: string;
  readonly title: string;
  /** How many tools it has. */
  readonly tools: number;
  readonly credential: 'not_needed' | 'set' | 'missing' | 'optional';
}
