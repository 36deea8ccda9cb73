import { oldLimits, schema20 } from './json-schema.ts';
import { arrayHasItems, pathIsRequired, pathTemplate, validPattern } from './rules.ts';
import {
  any,
  boolean,
  grammar,
  list,
  map,
  type ObjectType,
  object,
  oneOf,
  type Rule,
  type Shape,
  string,
  text,
} from './shape.ts';

const mediaTypes = list(string, { unique: true });
const schemes = list(oneOf('http', 'https', 'ws', 'wss'), { unique: true });
const security = list(map(list(string, { unique: true })), { unique: true });
const parameters = list(object('Parameter'));

/** What a parameter, header or item of Swagger 2.0 says about its value. */
function simple(formats: readonly string[]): Record<string, Shape> {
  return {
    ...oldLimits,
    format: string,
    items: object('Items'),
    collectionFormat: oneOf(...formats),
    default: any,
    enum: list(any, { notEmpty: true, unique: true }),
  };
}

const separators = ['csv', 'ssv', 'tsv', 'pipes'];
const simpleTypes = ['string', 'number', 'boolean', 'integer', 'array'];

function parameter(location: string, fields: Record<string, Shape>, formats: string[]): ObjectType {
  return {
    title: 'Parameter Object',
    fields: {
      name: string,
      in: oneOf(location),
      description: string,
      required: boolean,
      type: oneOf(...simpleTypes),
      ...simple(formats),
      ...fields,
    },
    required: ['name', 'in', 'type'],
    rules: [arrayHasItems, pathIsRequired, validPattern],
  };
}

const someResponse: Rule = (node) =>
  Object.keys(node).some((key) => !key.startsWith('x-'))
    ? undefined
    : { message: 'an operation must have at least one response' };

const oneBody: Rule = (node) => {
  const list = Array.isArray(node['parameters']) ? node['parameters'] : [];
  const bodies = list.filter((each) => each?.in === 'body').length;
  const forms = list.filter((each) => each?.in === 'formData').length;
  if (bodies > 1) return { key: 'parameters', message: 'only one parameter may stand in body' };
  return bodies > 0 && forms > 0
    ? { key: 'parameters', message: 'parameters stand in body or in formData, never in both' }
    : undefined;
};

const flow = { type: string, description: string, flow: string, scopes: map(string) };

function oauth(...urls: readonly string[]): ObjectType {
  return {
    title: 'Security Scheme Object',
    fields: { ...flow, ...Object.fromEntries(urls.map((url) => [url, string])) },
    required: ['type', 'flow', ...urls],
  };
}

/** Swagger 2.0 (https://spec.openapis.org/oas/v2.0.html). */
export const swagger20 = grammar({
  Document: {
    title: 'Swagger Object',
    fields: {
      swagger: string,
      info: object('Info'),
      host: text(/^[^{}/ :\\]+(?::\d+)?$/, 'a host name, perhaps with a port'),
      basePath: text(/^\//, 'a path that begins with "/"'),
      schemes,
      consumes: mediaTypes,
      produces: mediaTypes,
      paths: object('Paths'),
      definitions: map(object('Schema')),
      parameters: map(object('Parameter')),
      responses: map(object('Response')),
      securityDefinitions: map(object('SecurityScheme')),
      security,
      tags: list(object('Tag'), { unique: true }),
      externalDocs: object('ExternalDocumentation'),
    },
    required: ['swagger', 'info', 'paths'],
  },
  Info: {
    title: 'Info Object',
    fields: {
      title: string,
      description: string,
      termsOfService: string,
      contact: object('Contact'),
      license: object('License'),
      version: string,
    },
    required: ['title', 'version'],
  },
  Contact: { title: 'Contact Object', fields: { name: string, url: string, email: string } },
  License: { title: 'License Object', fields: { name: string, url: string }, required: ['name'] },
  Paths: {
    title: 'Paths Object',
    fields: {},
    patterned: [{ ...pathTemplate, of: object('PathItem') }],
  },
  PathItem: {
    title: 'Path Item Object',
    fields: {
      $ref: string,
      ...operations('get', 'put', 'post', 'delete', 'options', 'head', 'patch'),
      parameters,
    },
  },
  Operation: {
    title: 'Operation Object',
    fields: {
      tags: list(string, { unique: true }),
      summary: string,
      description: string,
      externalDocs: object('ExternalDocumentation'),
      operationId: string,
      consumes: mediaTypes,
      produces: mediaTypes,
      parameters,
      responses: object('Responses'),
      schemes,
      deprecated: boolean,
      security,
    },
    required: ['responses'],
    rules: [oneBody],
  },
  ExternalDocumentation: {
    title: 'External Documentation Object',
    fields: { description: string, url: string },
    required: ['url'],
  },
  Parameter: {
    title: 'Parameter Object',
    fields: {},
    variants: {
      by: 'in',
      types: {
        body: 'BodyParameter',
        query: 'QueryParameter',
        path: 'PathParameter',
        header: 'HeaderParameter',
        formData: 'FormParameter',
      },
    },
    section: ['parameters'],
    loneReference: true,
  },
  BodyParameter: {
    title: 'Parameter Object in body',
    fields: {
      name: string,
      in: oneOf('body'),
      description: string,
      required: boolean,
      schema: object('Schema'),
    },
    required: ['name', 'in', 'schema'],
  },
  QueryParameter: parameter('query', { allowEmptyValue: boolean }, [...separators, 'multi']),
  // It is of OpenAPI 3.2; names of resources are read so in older descriptions, too.
  PathParameter: parameter('path', { allowReserved: boolean }, separators),
  HeaderParameter: parameter('header', {}, separators),
  FormParameter: parameter(
    'formData',
    { allowEmptyValue: boolean, type: oneOf(...simpleTypes, 'file') },
    [...separators, 'multi'],
  ),
  Items: {
    title: 'Items Object',
    fields: { type: oneOf(...simpleTypes), ...simple(separators) },
    rules: [arrayHasItems, validPattern],
  },
  Responses: {
    title: 'Responses Object',
    fields: {},
    patterned: [
      {
        test: /^(?:[0-9]{3}|default)$/,
        says: 'a status code of three digits, or "default"',
        of: object('Response'),
      },
    ],
    rules: [someResponse],
  },
  Response: {
    title: 'Response Object',
    fields: {
      description: string,
      schema: object('Schema'),
      headers: map(object('Header')),
      examples: map(any),
    },
    required: ['description'],
    section: ['responses'],
    loneReference: true,
  },
  Header: {
    title: 'Header Object',
    fields: { description: string, type: oneOf(...simpleTypes), ...simple(separators) },
    required: ['type'],
    rules: [arrayHasItems, validPattern],
  },
  Tag: {
    title: 'Tag Object',
    fields: { name: string, description: string, externalDocs: object('ExternalDocumentation') },
    required: ['name'],
  },
  Schema: schema20,
  Xml: {
    title: 'XML Object',
    fields: {
      name: string,
      namespace: string,
      prefix: string,
      attribute: boolean,
      wrapped: boolean,
    },
  },
  SecurityScheme: {
    title: 'Security Scheme Object',
    fields: {},
    variants: { by: 'type', types: { basic: 'BasicAuth', apiKey: 'ApiKey', oauth2: 'OAuth' } },
  },
  BasicAuth: {
    title: 'Security Scheme Object',
    fields: { type: string, description: string },
  },
  ApiKey: {
    title: 'Security Scheme Object',
    // A cookie is none of Swagger 2.0, and of many of its documents, for want of another word.
    fields: {
      type: string,
      description: string,
      name: string,
      in: oneOf('query', 'header', 'cookie'),
    },
    required: ['name', 'in'],
  },
  OAuth: {
    title: 'Security Scheme Object',
    fields: {},
    variants: {
      by: 'flow',
      types: {
        implicit: 'ImplicitFlow',
        password: 'PasswordFlow',
        application: 'PasswordFlow',
        accessCode: 'CodeFlow',
      },
    },
  },
  ImplicitFlow: oauth('authorizationUrl'),
  PasswordFlow: oauth('tokenUrl'),
  CodeFlow: oauth('authorizationUrl', 'tokenUrl'),
});

function operations(...methods: readonly string[]): Record<string, Shape> {
  return Object.fromEntries(methods.map((method) => [method, object('Operation')]));
}
