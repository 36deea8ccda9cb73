/** A right that a caller can be given. */
export interface ScopeDefinition {
  /** What a person agrees to who grants it. */
  readonly consent: string;
}

/** Every right of this server, by its name. */
export type ScopeCatalogue = Readonly<Record<string, ScopeDefinition>>;
