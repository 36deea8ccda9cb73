import { schema30 } from './json-schema.ts';
import {
  componentName,
  needsSchema,
  notBoth,
  oneAtLeast,
  oneMediaType,
  pathIsRequired,
  pathTemplate,
  styles,
} from './rules.ts';
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
} from './shape.ts';

const bodyStyles = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'];

/** Which styles a parameter may have in each location. */
export const parameterStyles = {
  path: ['matrix', 'label', 'simple'],
  query: bodyStyles,
  header: ['simple'],
  cookie: ['form'],
} as const;

const media = {
  schema: object('Schema'),
  content: map(object('MediaType')),
  example: any,
  examples: map(object('Example')),
} as const satisfies Record<string, Shape>;

const parameterFields = {
  description: string,
  required: boolean,
  deprecated: boolean,
  allowEmptyValue: boolean,
  style: string,
  explode: boolean,
  allowReserved: boolean,
  ...media,
} as const satisfies Record<string, Shape>;

/** What parameters and headers obey. */
export const parameterRules: readonly Rule[] = [
  notBoth('example', 'examples'),
  notBoth('schema', 'content'),
  oneAtLeast('schema', 'content'),
  needsSchema('style', 'explode', 'allowReserved', 'example', 'examples'),
  oneMediaType,
];

const someResponse: Rule = (node) =>
  Object.keys(node).length > 0
    ? undefined
    : { message: 'an operation must have at least one response' };

/** Operations of a path item by method. */
export function operations(...methods: readonly string[]): Record<string, Shape> {
  return Object.fromEntries(methods.map((method) => [method, object('Operation')]));
}

/** Maps of reusable objects, each under its own name. */
export function components(sections: Readonly<Record<string, string>>): ObjectType {
  return {
    title: 'Components Object',
    fields: Object.fromEntries(
      Object.entries(sections).map(([section, name]) => [
        section,
        map(object(name), componentName),
      ]),
    ),
  };
}

/** One way to get a token; `urls` are those that it cannot do without. */
export function oauthFlow(...urls: readonly string[]): ObjectType {
  return {
    title: 'OAuth Flow Object',
    fields: {
      authorizationUrl: string,
      deviceAuthorizationUrl: string,
      tokenUrl: string,
      refreshUrl: string,
      scopes: map(string),
    },
    required: [...urls, 'scopes'],
  };
}

/** A security scheme of one type. */
export function securityScheme(fields: Record<string, Shape>, required: string[]): ObjectType {
  return {
    title: 'Security Scheme Object',
    fields: { type: string, description: string, ...fields },
    required,
  };
}

/** OpenAPI 3.0 (https://spec.openapis.org/oas/v3.0.4.html). */
export const openapi30 = grammar({
  Document: {
    title: 'OpenAPI Object',
    fields: {
      openapi: string,
      info: object('Info'),
      servers: list(object('Server')),
      paths: object('Paths'),
      components: object('Components'),
      security: list(map(list(string))),
      tags: list(object('Tag'), { unique: true }),
      externalDocs: object('ExternalDocumentation'),
    },
    required: ['openapi', 'info', 'paths'],
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
  Server: {
    title: 'Server Object',
    fields: { url: string, description: string, variables: map(object('ServerVariable')) },
    required: ['url'],
  },
  ServerVariable: {
    title: 'Server Variable Object',
    fields: { enum: list(string), default: string, description: string },
    required: ['default'],
  },
  Components: components({
    schemas: 'Schema',
    responses: 'Response',
    parameters: 'Parameter',
    examples: 'Example',
    requestBodies: 'RequestBody',
    headers: 'Header',
    securitySchemes: 'SecurityScheme',
    links: 'Link',
    callbacks: 'Callback',
  }),
  Paths: {
    title: 'Paths Object',
    fields: {},
    patterned: [{ ...pathTemplate, of: object('PathItem') }],
  },
  PathItem: {
    title: 'Path Item Object',
    fields: {
      $ref: string,
      summary: string,
      description: string,
      ...operations('get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'),
      servers: list(object('Server')),
      parameters: list(object('Parameter')),
    },
  },
  Operation: {
    title: 'Operation Object',
    fields: {
      tags: list(string),
      summary: string,
      description: string,
      externalDocs: object('ExternalDocumentation'),
      operationId: string,
      parameters: list(object('Parameter')),
      requestBody: object('RequestBody'),
      responses: object('Responses'),
      callbacks: map(object('Callback')),
      deprecated: boolean,
      security: list(map(list(string))),
      servers: list(object('Server')),
    },
    required: ['responses'],
  },
  ExternalDocumentation: {
    title: 'External Documentation Object',
    fields: { description: string, url: string },
    required: ['url'],
  },
  Parameter: {
    title: 'Parameter Object',
    fields: { name: string, in: oneOf(...Object.keys(parameterStyles)), ...parameterFields },
    required: ['name', 'in'],
    section: ['components', 'parameters'],
    rules: [...parameterRules, pathIsRequired, styles(parameterStyles)],
  },
  RequestBody: {
    title: 'Request Body Object',
    fields: { description: string, content: map(object('MediaType')), required: boolean },
    required: ['content'],
    section: ['components', 'requestBodies'],
  },
  MediaType: {
    title: 'Media Type Object',
    fields: {
      schema: media.schema,
      example: any,
      examples: media.examples,
      encoding: map(object('Encoding')),
    },
    rules: [notBoth('example', 'examples')],
  },
  Encoding: {
    title: 'Encoding Object',
    fields: {
      contentType: string,
      headers: map(object('Header')),
      style: oneOf(...bodyStyles),
      explode: boolean,
      allowReserved: boolean,
    },
  },
  Responses: {
    title: 'Responses Object',
    fields: {},
    patterned: [
      {
        test: /^(?:[1-5](?:[0-9]{2}|XX)|default)$/,
        says: 'a status code (100 to 599, 1XX to 5XX) or "default"',
        of: object('Response'),
      },
    ],
    rules: [someResponse],
  },
  Response: {
    title: 'Response Object',
    fields: {
      description: string,
      headers: map(object('Header')),
      content: media.content,
      links: map(object('Link')),
    },
    required: ['description'],
    section: ['components', 'responses'],
  },
  Callback: {
    title: 'Callback Object',
    fields: {},
    patterned: [{ test: /^(?!x-)/, says: 'a runtime expression', of: object('PathItem') }],
    section: ['components', 'callbacks'],
  },
  Example: {
    title: 'Example Object',
    fields: { summary: string, description: string, value: any, externalValue: string },
    section: ['components', 'examples'],
  },
  Link: {
    title: 'Link Object',
    fields: {
      operationRef: string,
      operationId: string,
      parameters: map(any),
      requestBody: any,
      description: string,
      server: object('Server'),
    },
    section: ['components', 'links'],
    rules: [notBoth('operationId', 'operationRef')],
  },
  Header: {
    title: 'Header Object',
    fields: { ...parameterFields, style: oneOf('simple') },
    section: ['components', 'headers'],
    rules: parameterRules,
  },
  Tag: {
    title: 'Tag Object',
    fields: { name: string, description: string, externalDocs: object('ExternalDocumentation') },
    required: ['name'],
  },
  Schema: schema30,
  Discriminator: {
    title: 'Discriminator Object',
    fields: { propertyName: string, mapping: map(string) },
    required: ['propertyName'],
    open: true,
  },
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
    variants: {
      by: 'type',
      types: { apiKey: 'ApiKey', http: 'HttpAuth', oauth2: 'OAuth', openIdConnect: 'OpenId' },
    },
    section: ['components', 'securitySchemes'],
  },
  ApiKey: securityScheme({ name: string, in: oneOf('query', 'header', 'cookie') }, ['name', 'in']),
  HttpAuth: securityScheme({ scheme: string, bearerFormat: string }, ['scheme']),
  OAuth: securityScheme({ flows: object('OAuthFlows') }, ['flows']),
  OpenId: securityScheme({ openIdConnectUrl: string }, ['openIdConnectUrl']),
  OAuthFlows: {
    title: 'OAuth Flows Object',
    fields: {
      implicit: object('ImplicitFlow'),
      password: object('TokenFlow'),
      clientCredentials: object('TokenFlow'),
      authorizationCode: object('CodeFlow'),
    },
  },
  ImplicitFlow: oauthFlow('authorizationUrl'),
  TokenFlow: oauthFlow('tokenUrl'),
  CodeFlow: oauthFlow('authorizationUrl', 'tokenUrl'),
});
