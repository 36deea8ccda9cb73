/** The code for the members of one schema stands in each other: for some two thousand, it could not run. */
export const mostTogether = 100;

/** Keywords whose parts the compiler nests in each other, as it does the members of `properties`. */
export const nestedKeywords: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
  'patternProperties',
  'dependentSchemas',
  'dependentRequired',
]);
