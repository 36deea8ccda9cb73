/** Dialects of JSON Schema, the oldest first; what only OpenAPI knows comes on top of them. */
export type Dialect = 'draft-04' | 'draft-06' | 'draft-07' | '2019-09' | '2020-12' | 'OpenAPI';

/** One keyword of JSON Schema, as any dialect has it. */
export interface Keyword {
  /**
   * What it says something about: any value or those of one type, the place of the schema itself
   * (names and references), or nothing but words for a reader.
   */
  readonly about: 'any' | 'number' | 'string' | 'array' | 'object' | 'place' | 'reader';
  /**
   * The schemas in its value: it is one, a list of them, or maps names to them. Older dialects
   * have lists where one stands now (`items`), and lists of names in maps (`dependencies`).
   */
  readonly schemas?: 'one' | 'list' | 'map';
  /** Its schemas are for the same value as the schema that it stands in (2020-12 core, 10.2). */
  readonly inPlace?: true;
  readonly since: Dialect;
  /** The last dialect that has it, where a later one has another way to say it. */
  readonly until?: Dialect;
}

const anyOf = { about: 'any', since: 'draft-04' } as const;
const number = { about: 'number', since: 'draft-04' } as const;
const string = { about: 'string', since: 'draft-04' } as const;
const array = { about: 'array', since: 'draft-04' } as const;
const object = { about: 'object', since: 'draft-04' } as const;
const place = { about: 'place', since: 'draft-04' } as const;
const reader = { about: 'reader', since: 'draft-04' } as const;

/**
 * Every keyword, whoever writes it. What walks a schema asks here where further schemas are: a
 * keyword that it did not know would be a hole, through which references, marks and changes slip.
 */
const table = {
  // A schema and its place (2020-12 core, 8).
  $id: { ...place, since: 'draft-06' },
  id: { ...place, until: 'draft-04' },
  $schema: place,
  $anchor: { ...place, since: '2019-09' },
  $ref: place,
  $dynamicRef: { ...place, since: '2020-12' },
  $dynamicAnchor: { ...place, since: '2020-12' },
  $recursiveRef: { ...place, since: '2019-09', until: '2019-09' },
  $recursiveAnchor: { ...place, since: '2019-09', until: '2019-09' },
  $vocabulary: { ...place, since: '2019-09' },
  $defs: { ...place, schemas: 'map', since: '2019-09' },
  definitions: { ...place, schemas: 'map', until: 'draft-07' },

  // Combinations (core, 10.2), and values as a whole (validation, 6.1).
  type: anyOf,
  enum: anyOf,
  const: { ...anyOf, since: 'draft-06' },
  allOf: { ...anyOf, schemas: 'list', inPlace: true },
  anyOf: { ...anyOf, schemas: 'list', inPlace: true },
  oneOf: { ...anyOf, schemas: 'list', inPlace: true },
  not: { ...anyOf, schemas: 'one', inPlace: true },
  if: { ...anyOf, schemas: 'one', inPlace: true, since: 'draft-07' },
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
  then: { ...anyOf, schemas: 'one', inPlace: true, since: 'draft-07' },
  else: { ...anyOf, schemas: 'one', inPlace: true, since: 'draft-07' },

  // Numbers (validation, 6.2).
  multipleOf: number,
  maximum: number,
  exclusiveMaximum: number,
  minimum: number,
  exclusiveMinimum: number,

  // Strings (validation, 6.3, 7 and 8).
  maxLength: string,
  minLength: string,
  pattern: string,
  format: string,
  contentEncoding: { ...string, since: 'draft-07' },
  contentMediaType: { ...string, since: 'draft-07' },
  contentSchema: { ...string, schemas: 'one', since: '2019-09' },

  // Arrays (core, 10.3.1 and 11.2; validation, 6.4).
  prefixItems: { ...array, schemas: 'list', since: '2020-12' },
  items: { ...array, schemas: 'one' },
  additionalItems: { ...array, schemas: 'one', until: '2019-09' },
  unevaluatedItems: { ...array, schemas: 'one', since: '2019-09' },
  contains: { ...array, schemas: 'one', since: 'draft-06' },
  minContains: { ...array, since: '2019-09' },
  maxContains: { ...array, since: '2019-09' },
  maxItems: array,
  minItems: array,
  uniqueItems: array,

  // Objects (core, 10.2.2.4, 10.3.2 and 11.3; validation, 6.5).
  properties: { ...object, schemas: 'map' },
  patternProperties: { ...object, schemas: 'map' },
  additionalProperties: { ...object, schemas: 'one' },
  unevaluatedProperties: { ...object, schemas: 'one', since: '2019-09' },
  propertyNames: { ...object, schemas: 'one', since: 'draft-06' },
  required: object,
  maxProperties: object,
  minProperties: object,
  dependentRequired: { ...object, since: '2019-09' },
  dependentSchemas: { ...object, schemas: 'map', inPlace: true, since: '2019-09' },
  dependencies: { ...object, schemas: 'map', inPlace: true, until: 'draft-07' },
  discriminator: { ...object, since: 'OpenAPI' },

  // Words (validation, 9; OpenAPI 3.1.2, Schema Object).
  title: reader,
  description: reader,
  default: reader,
  examples: { ...reader, since: 'draft-06' },
  deprecated: { ...reader, since: '2019-09' },
  readOnly: { ...reader, since: 'draft-07' },
  writeOnly: { ...reader, since: 'draft-07' },
  $comment: { ...reader, since: 'draft-07' },
  example: { ...reader, since: 'OpenAPI' },
  externalDocs: { ...reader, since: 'OpenAPI' },
  xml: { ...reader, since: 'OpenAPI' },
} as const satisfies Record<string, Keyword>;

/** A map: names of keywords are what a stranger writes, and may be those of inherited properties. */
export const keywords: ReadonlyMap<string, Keyword> = new Map(Object.entries(table));

/** The names of the keywords that `has` holds for. */
export function keywordsWhere(has: (keyword: Keyword) => boolean): ReadonlySet<string> {
  return new Set([...keywords].flatMap(([name, keyword]) => (has(keyword) ? name : [])));
}
