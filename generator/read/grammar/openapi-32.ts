import {
  components,
  oauthFlow,
  operations,
  parameterRules,
  parameterStyles,
} from './openapi-30.ts';
import { componentSections, extend, openapi31 } from './openapi-31.ts';
import { operationMethods } from './operation-methods.ts';
import { pathIsRequired, styles } from './rules.ts';
import {
  any,
  boolean,
  grammar,
  type KeyRule,
  list,
  map,
  type ObjectType,
  object,
  oneOf,
  type Rule,
  string,
} from './shape.ts';

const encoding = object('Encoding');

const encodings = {
  encoding: map(encoding),
  prefixEncoding: list(encoding),
  itemEncoding: encoding,
} as const;

const querystringHasContent: Rule = (node) =>
  node['in'] === 'querystring' && node['content'] === undefined
    ? { message: 'a parameter in querystring must have "content"' }
    : undefined;

/** A method (RFC 9110, 9.1) that no field of the path item is for; the fields are in small letters. */
const ownMethod: KeyRule = {
  test: new RegExp(`^(?!(?:${operationMethods.join('|')})$)[A-Za-z0-9!#$%&'*+.^_\`|~-]+$`, 'i'),
  says: 'a method (RFC 9110, 9.1) that has no field of its own',
  useless: true,
};

/** Security schemes of 3.2 may be deprecated. */
const securitySchemes: Record<string, ObjectType> = Object.fromEntries(
  ['ApiKey', 'HttpAuth', 'OAuth', 'OpenId', 'MutualTls'].map((name) => [
    name,
    extend(openapi31[name], { deprecated: boolean }),
  ]),
);

/** OpenAPI 3.2 (https://spec.openapis.org/oas/v3.2.0.html). */
export const openapi32 = grammar({
  ...openapi31,
  ...securitySchemes,
  Document: extend(openapi31.Document, { $self: string }),
  Server: extend(openapi31['Server'], { name: string }),
  Components: components({ ...componentSections, mediaTypes: 'MediaType' }),
  PathItem: extend(openapi31['PathItem'], {
    ...operations('query'),
    additionalOperations: map(object('Operation'), ownMethod),
  }),
  Parameter: extend(
    openapi31['Parameter'],
    { in: oneOf(...Object.keys(parameterStyles), 'querystring') },
    {
      rules: [
        ...parameterRules,
        querystringHasContent,
        pathIsRequired,
        styles({ ...parameterStyles, cookie: ['form', 'cookie'] }),
      ],
    },
  ),
  MediaType: extend(
    openapi31['MediaType'],
    { itemSchema: object('Schema'), ...encodings },
    { section: ['components', 'mediaTypes'] },
  ),
  Encoding: extend(openapi31['Encoding'], encodings),
  Response: extend(openapi31['Response'], { summary: string }, { required: [] }),
  Example: extend(openapi31['Example'], { dataValue: any, serializedValue: string }),
  Tag: extend(openapi31['Tag'], { summary: string, parent: string, kind: string }),
  Discriminator: extend(openapi31['Discriminator'], { defaultMapping: string }),
  Xml: extend(openapi31['Xml'], {
    nodeType: oneOf('element', 'attribute', 'text', 'cdata', 'none'),
  }),
  OAuth: extend(securitySchemes['OAuth'], { oauth2MetadataUrl: string }),
  OAuthFlows: extend(openapi31['OAuthFlows'], { deviceAuthorization: object('DeviceFlow') }),
  DeviceFlow: oauthFlow('deviceAuthorizationUrl', 'tokenUrl'),
});
