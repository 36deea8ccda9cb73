import { type Keyword, keywords } from '#contract/schema/keywords';
import { arrayHasItems, exclusiveBounds, itemsOfArray, validPattern } from './rules.ts';
import {
  any,
  boolean,
  count,
  list,
  map,
  number,
  type ObjectType,
  object,
  oneOf,
  oneOrMany,
  orBoolean,
  type Shape,
  string,
} from './shape.ts';

const schema = object('Schema');
const jsonTypes = ['array', 'boolean', 'integer', 'number', 'object', 'string'] as const;

const typeName20 = oneOf(...jsonTypes, 'null', 'file');
const typeName31 = oneOf(...jsonTypes, 'null');

/** The limits that every version shares. */
const limits = {
  multipleOf: { kind: 'number', above: 0 },
  maximum: number,
  minimum: number,
  maxLength: count,
  minLength: count,
  pattern: string,
  maxItems: count,
  minItems: count,
  uniqueItems: boolean,
} as const satisfies Record<string, Shape>;

/** The limits of drafts before 2019-09, whose exclusive bounds are flags. */
export const oldLimits = {
  ...limits,
  exclusiveMaximum: boolean,
  exclusiveMinimum: boolean,
} as const;

const sizes = { maxProperties: count, minProperties: count } as const;

/** Schema Object of OpenAPI 3.0: its own dialect, close to draft 5. */
export const schema30: ObjectType = {
  title: 'Schema Object',
  fields: {
    ...oldLimits,
    ...sizes,
    title: string,
    description: string,
    required: list(string, { notEmpty: true, unique: true }),
    enum: list(any, { notEmpty: true }),
    type: oneOf(...jsonTypes),
    not: schema,
    allOf: list(schema),
    oneOf: list(schema),
    anyOf: list(schema),
    items: schema,
    properties: map(schema),
    additionalProperties: orBoolean('Schema'),
    format: string,
    default: any,
    nullable: boolean,
    discriminator: object('Discriminator'),
    readOnly: boolean,
    writeOnly: boolean,
    example: any,
    externalDocs: object('ExternalDocumentation'),
    deprecated: boolean,
    xml: object('Xml'),
  },
  section: ['components', 'schemas'],
  rules: [arrayHasItems, validPattern],
};

/** Schema Object of Swagger 2.0: a part of draft 4. */
export const schema20: ObjectType = {
  title: 'Schema Object',
  fields: {
    ...oldLimits,
    ...sizes,
    $ref: string,
    title: string,
    description: string,
    required: list(string, { notEmpty: true, unique: true }),
    enum: list(any, { notEmpty: true, unique: true }),
    type: oneOrMany(typeName20, list(typeName20, { notEmpty: true })),
    items: oneOrMany(schema, list(schema, { notEmpty: true })),
    allOf: list(schema, { notEmpty: true }),
    properties: map(schema),
    additionalProperties: orBoolean('Schema'),
    format: string,
    default: any,
    discriminator: string,
    readOnly: boolean,
    example: any,
    externalDocs: object('ExternalDocumentation'),
    xml: object('Xml'),
  },
  section: ['definitions'],
  rules: [arrayHasItems, itemsOfArray, validPattern],
};

/** What the keywords hold that hold schemas, those of older dialects among them. */
function placesOfSchemas(): Record<string, Shape> {
  const shapes = [...keywords].flatMap(([name, { schemas }]): [string, Shape][] =>
    schemas === undefined ? [] : [[name, holding[schemas]]],
  );
  return Object.fromEntries(shapes);
}

const holding: Readonly<Record<NonNullable<Keyword['schemas']>, Shape>> = {
  one: schema,
  list: list(schema, { notEmpty: true }),
  map: map(schema),
};

/**
 * Schema Object of OpenAPI 3.1 and later: JSON Schema 2020-12, where unknown keywords are allowed.
 * Vendors use those of older dialects too, so that what is inside is read like anything else.
 */
export const schema31: ObjectType = {
  title: 'Schema Object',
  fields: {
    ...limits,
    ...sizes,
    $ref: string,
    $id: string,
    $schema: string,
    $anchor: string,
    $dynamicRef: string,
    $dynamicAnchor: string,
    $comment: string,
    ...placesOfSchemas(),
    dependencies: map(oneOrMany(schema, list(string))),
    title: string,
    description: string,
    exclusiveMaximum: any,
    exclusiveMinimum: any,
    required: list(string, { unique: true }),
    enum: list(any),
    type: oneOrMany(typeName31, list(typeName31, { notEmpty: true })),
    minContains: count,
    maxContains: count,
    dependentRequired: map(list(string)),
    format: string,
    contentEncoding: string,
    contentMediaType: string,
    default: any,
    examples: list(any),
    example: any,
    readOnly: boolean,
    writeOnly: boolean,
    deprecated: boolean,
    nullable: boolean,
    discriminator: object('Discriminator'),
    externalDocs: object('ExternalDocumentation'),
    xml: object('Xml'),
  },
  open: true,
  orBoolean: true,
  section: ['components', 'schemas'],
  rules: [exclusiveBounds, validPattern],
};
