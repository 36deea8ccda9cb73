import { schema31 } from './json-schema.ts';
import { components, openapi30, securityScheme } from './openapi-30.ts';
import { notBoth, oneAtLeast } from './rules.ts';
import { grammar, list, map, type ObjectType, object, type Shape, string } from './shape.ts';

/** The sections of the Components Object and what they hold. */
export const componentSections = {
  schemas: 'Schema',
  responses: 'Response',
  parameters: 'Parameter',
  examples: 'Example',
  requestBodies: 'RequestBody',
  headers: 'Header',
  securitySchemes: 'SecurityScheme',
  links: 'Link',
  callbacks: 'Callback',
  pathItems: 'PathItem',
} as const;

/** Add fields to a type of an older version, and say anew which are required. */
export function extend(
  type: ObjectType | undefined,
  fields: Record<string, Shape>,
  changes: Partial<ObjectType> = {},
): ObjectType {
  if (type === undefined) throw new TypeError('there is no such object type to extend');
  return { ...type, ...changes, fields: { ...type.fields, ...fields } };
}

const securityTypes = {
  ...openapi30['SecurityScheme']?.variants?.types,
  mutualTLS: 'MutualTls',
};

/** OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.2.html). */
export const openapi31 = grammar({
  ...openapi30,
  Document: extend(
    openapi30.Document,
    { jsonSchemaDialect: string, webhooks: map(object('PathItem')), tags: list(object('Tag')) },
    {
      required: ['openapi', 'info'],
      rules: [oneAtLeast('paths', 'components', 'webhooks')],
    },
  ),
  Info: extend(openapi30['Info'], { summary: string }),
  License: extend(
    openapi30['License'],
    { identifier: string },
    { rules: [notBoth('identifier', 'url')] },
  ),
  ServerVariable: extend(openapi30['ServerVariable'], { enum: list(string, { notEmpty: true }) }),
  Components: components(componentSections),
  Operation: extend(openapi30['Operation'], {}, { required: [] }),
  Responses: extend(openapi30['Responses'], {}, { rules: [] }),
  Schema: schema31,
  SecurityScheme: extend(
    openapi30['SecurityScheme'],
    {},
    { variants: { by: 'type', types: securityTypes } },
  ),
  MutualTls: securityScheme({}, []),
});
