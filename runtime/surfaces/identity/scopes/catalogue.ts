import { didYouMean } from '#contract/nearest-name';
import type { ScopeCatalogue, ScopeTier } from '#contract/scope';

/** What may be granted to an agent before and after a person has claimed it. */
export interface ScopeSets {
  readonly pre: readonly string[];
  readonly post: readonly string[];
}

/** The rights of this server, and what follows of them. */
export interface Scopes {
  /** Those that nobody declares. */
  unknown(names: readonly string[]): readonly string[];
  /** Why the first of those is refused, with the name that may have been meant; nothing without one. */
  unknownMessage(names: readonly string[]): string | undefined;
  /** Add what each of them implies. */
  expanded(names: Iterable<string>): ReadonlySet<string>;
  /** Those of a tier, or of several, in the order of the catalogue. */
  ofTier(...tiers: readonly ScopeTier[]): readonly string[];
  /**
   * Split what an agent asks for into what it has at once and what it has once it is claimed;
   * without a wish, what it gets by default. What nobody who registers is given is left out.
   */
  split(wanted: readonly string[] | undefined): ScopeSets;
  /** The sentence that a person consents to. */
  sentence(name: string): string;
}

/** Know the rights of a catalogue. */
export function createScopes(catalogue: ScopeCatalogue): Scopes {
  const names = Object.keys(catalogue);
  const tierOf = (name: string) => (known(name) ? catalogue[name]?.tier : undefined);
  const known = (name: string) => Object.hasOwn(catalogue, name);
  const among = (list: readonly string[], ...tiers: readonly ScopeTier[]) => {
    const wanted = new Set(list);
    return names.filter((name) => wanted.has(name) && tiers.some((tier) => tier === tierOf(name)));
  };
  return {
    unknown: (list) => list.filter((name) => !known(name)),
    unknownMessage(list) {
      const name = list.find((each) => !known(each))?.slice(0, 80);
      return name && `there is no scope ${JSON.stringify(name)}${didYouMean(name, names)}`;
    },
    expanded(list) {
      const all = new Set<string>();
      for (const name of list) {
        all.add(name);
        for (const each of (known(name) && catalogue[name]?.implies) || []) all.add(each);
      }
      return all;
    },
    ofTier: (...tiers) => among(names, ...tiers),
    split(wanted) {
      if (wanted === undefined)
        return { pre: among(names, 'pre'), post: among(names, 'pre', 'post') };
      return { pre: among(wanted, 'pre'), post: among(wanted, 'pre', 'post', 'ask') };
    },
    sentence: (name) => (known(name) && catalogue[name]?.consent) || name,
  };
}

/** The scopes of a space-separated list (RFC 6749 section 3.3), each once. */
export function parseScope(text: string): readonly string[] {
  return [...new Set(text.split(' ').filter((name) => name !== ''))];
}
