/** How a text begins that says of somebody's thing what is done with it: "Call a phone number". */
const imperative =
  /^(?:\[[^\]]*\]|\([^)]*\)|[^\p{L}[(])*(\p{L}+) (?:(?:an?|the|all|one|this|your|my|its|his|their|each|every|these|those|me|it|them|multiple|several) |by (?:its|their|the|your)\b)/iu;

/** Words that stand so without being what is done: "What the family declares", "Payment of a bill". */
const noVerb =
  /^(?:all|any|are|as|at|before|both|but|by|do|does|during|for|from|given|has|have|how|if|in|is|it|like|near|no|not|of|on|once|only|or|over|per|since|some|such|than|that|this|through|to|under|until|what|when|where|whether|which|who|whose|why|with|within|without)$|(?:ments?|mento|tions?|ness|ity|ities|ance|ence|ings?|ships?)$/;

/** What leaves all as it is, as texts call it: all other verbs are taken for what changes something. */
const harmless = new Set(
  `access autocomplete browse calculate check compare compute convert count decode describe diff discover display
  download dump echo enumerate estimate evaluate examine explain explore export expose fetch filter find forecast
  geocode get give identify inspect introspect list load look lookup measure monitor obtain offer output parse peek ping
  poll predict present preview print produce provide query read reconstruct render report resolve retrieve return retun reveal scan screen
  scroll search see serve show simulate stream suggest summarise summarize tell test track translate validate view watch`.split(
    /\s+/,
  ),
);

/** What a text begins with that may be a verb of the third person. */
function stems(word: string): readonly string[] {
  return [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')];
}

/** Whether a verb leaves all as it is. */
export function isHarmless(word: string): boolean {
  return stems(word).some((stem) => harmless.has(stem));
}

/**
 * The verb of a text that says of a thing that something is done with it, in small letters; nothing where
 * its first word may as well be a thing.
 */
export function imperativeOf(text: string): string | undefined {
  const word = imperative.exec(text)?.[1]?.toLowerCase();
  return word === undefined || noVerb.test(word) ? undefined : word;
}

/** What a text tells in the place of a verb: "handles the retrieval of one subscriber". */
const retrieval =
  /^\W*\p{L}+ (?:\p{L}+[ -]){0,3}?(?:checks?|list(?:ing)?|look-?up|quer(?:y|ies)|retrieval|search)\b/iu;

/** Whether a text says that something is done that is not known to leave all as it is. */
export function saysAct(text: string): boolean {
  const verb = imperativeOf(text);
  return verb !== undefined && !isHarmless(verb) && !retrieval.test(text);
}
