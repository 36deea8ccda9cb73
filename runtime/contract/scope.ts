/**
 * Who can be given a right: `pre` any agent that registers; `post` an agent that a person has
 * claimed; `ask` such an agent where it asked for it and the person was shown it; `oauth` clients of
 * the browser flow; `operator` nobody who registers.
 */
export const scopeTiers = ['pre', 'post', 'ask', 'oauth', 'operator'] as const;

export type ScopeTier = (typeof scopeTiers)[number];

/** A right that a caller can be given. */
export interface ScopeDefinition {
  /** What a person agrees to who grants it. */
  readonly consent: string;
  readonly tier: ScopeTier;
  /** Rights that it brings along, those of them included. */
  readonly implies?: readonly string[];
}

/** Every right of this server, by its name. */
export type ScopeCatalogue = Readonly<Record<string, ScopeDefinition>>;
