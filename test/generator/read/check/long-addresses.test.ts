import assert from 'node:assert/strict';
import test from 'node:test';
import { longestAddress } from '../../../../generator/read/check/long-addresses.ts';
import { readFiles } from '../read-files.ts';
import { repaired, responses } from '../repaired.ts';

const length = 200_000;
const paths = { '/things': { get: { responses } } };
const isTold = /must have at most 2000 characters, but it is the string ".{40,60} of 200000: it is/;

for (const unit of ['{', '}', '/', ' ', '{a=', '{a:', '{x}', '**', 'https://']) {
  const long = `/a${unit.repeat(length)}`.slice(0, length);
  test(`a path of "${unit}" over and over is left out, and said so; others stay`, async (t) => {
    const { routes, errors } = await repaired(t, {
      openapi: '3.0.3',
      paths: { [long]: { get: { responses } }, ...paths },
    });
    assert.deepEqual(routes, ['GET /things']);
    assert.equal(errors.length, 1);
    assert.match(errors[0] ?? '', isTold);
  });

  test(`an address of "${unit}" over and over is no server, and said so`, async (t) => {
    const url = `https:/${long}`.slice(0, length);
    const { root, errors } = await repaired(t, {
      openapi: '3.1.0',
      servers: [{ url }, { url: 'https://api.acme.com' }],
      paths: { '/things': { get: { servers: [{ url }], responses } } },
    });
    assert.deepEqual(root.servers, [{ url: 'https://api.acme.com' }]);
    assert.deepEqual(root.paths['/things'].get.servers, []);
    assert.equal(errors.length, 2);
    for (const error of errors) assert.match(error, isTold);
  });
}

test('a path and an address that are as long as they may be stay', async (t) => {
  const path = `/${'a'.repeat(longestAddress - 1)}`;
  const url = `https://${'a'.repeat(longestAddress - 8)}`;
  const { routes, root, errors } = await repaired(t, {
    openapi: '3.1.0',
    servers: [{ url }],
    paths: { [path]: { get: { responses } } },
  });
  assert.deepEqual(routes, [`GET ${path}`]);
  assert.deepEqual(root.servers, [{ url }]);
  assert.deepEqual(errors, []);
});

const url = `https://${'{'.repeat(length)}`.slice(0, length);

test('Swagger 2.0 has no such host, base path or address of a token', async (t) => {
  const { root, errors } = await repaired(t, {
    swagger: '2.0',
    host: url.slice(8),
    basePath: `/${url}`.slice(0, length),
    externalDocs: { url },
    securityDefinitions: {
      application: { type: 'oauth2', flow: 'application', tokenUrl: url, scopes: {} },
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    },
    paths,
  });
  assert.deepEqual(Object.keys(root.components.securitySchemes), ['key']);
  assert.equal(root.externalDocs, undefined);
  assert.equal(errors.length, 4);
});

test('OpenAPI 3.2 has none either, wherever addresses stand', async (t) => {
  const { root, errors } = await repaired(t, {
    openapi: '3.2.0',
    $self: url,
    jsonSchemaDialect: url,
    info: { title: 'A', version: '1', termsOfService: url, license: { name: 'MIT', url } },
    components: {
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          oauth2MetadataUrl: url,
          flows: {
            clientCredentials: { tokenUrl: url, scopes: {} },
            deviceAuthorization: { tokenUrl: 'https://a.example/t', deviceAuthorizationUrl: url },
          },
        },
        open: { type: 'openIdConnect', openIdConnectUrl: url },
      },
      links: { next: { operationRef: url, server: { url } } },
      // A schema may have a member of that name.
      schemas: { A: { properties: { url: { type: 'string' } }, default: { url } } },
    },
    paths,
  });
  assert.equal(errors.length, 10);
  for (const error of errors) assert.match(error, isTold);
  assert.deepEqual(root.components.securitySchemes, { oauth: { type: 'oauth2', flows: {} } });
  assert.deepEqual(root.info.license, { name: 'MIT' });
  assert.equal(root.components.schemas.A.default.url, url);
});

test('what another file contributes is held to the same', async (t) => {
  const { document, diagnostics } = await readFiles(t, {
    'api.json': JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'A', version: '1' },
      paths: { '/things': { $ref: 'things.json' } },
    }),
    'things.json': JSON.stringify({ servers: [{ url }], get: { responses } }),
  });
  assert.deepEqual(document?.root.paths?.['/things']?.['servers'], []);
  assert.deepEqual(
    diagnostics.map(({ code, file }) => [code, file]),
    [['SPEC005', 'things.json']],
  );
});
