import assert from 'node:assert/strict';
import test from 'node:test';
import { inPath, repaired, responses } from './repaired.ts';

for (const [written, meant] of [
  ['things', '/things'],
  ['/things/:id', '/things/{id}'],
  ['/things/<int:id>/parts', '/things/{id}/parts'],
  ['/things/{id:[0-9]{3}}', '/things/{id}'],
  ['/things/{id?}', '/things/{id}'],
  ['/things/{id', '/things/{id}'],
  ['/things/id}/parts', '/things/{id}/parts'],
  ['/things/me}', '/things/me'],
  ['/v1/{+id}:send', '/v1/{id}:send'],
  ['/things/{id}{?fields,limit}', '/things/{id}'],
  ['/v1/{id=shelves/*}', '/v1/{id}'],
  ['/v1/{id=shelves/*/books/**}:send', '/v1/{id}:send'],
] as const) {
  test(`the path ${written} is read as ${meant}`, async (t) => {
    const parameters = written.includes('id') ? [inPath('id')] : [];
    const { routes, errors, strictErrors } = await repaired(t, {
      openapi: '3.0.3',
      paths: { [written]: { GET: { parameters, responses } } },
    });
    assert.deepEqual(routes, [`GET ${meant}`]);
    assert.deepEqual(errors, []);
    assert.notDeepEqual(strictErrors, []);
  });
}

for (const addresses of [
  { openapi: '3.0.3', servers: [{ url: 'https://api.acme.com/v2/' }] },
  { swagger: '2.0', host: 'api.acme.com', basePath: '/v2' },
]) {
  const version = addresses.openapi ?? addresses.swagger;
  test(`addresses for paths, told apart by blanks, are paths below the server (${version})`, async (t) => {
    const { routes, errors } = await repaired(t, {
      ...addresses,
      paths: {
        'https://api.acme.com/v2/notify': { post: { responses } },
        ' https://api.acme.com/v2/notify': { post: { operationId: 'notify-list', responses } },
        '/notify  ': { post: { responses } },
        'https://api.acme.com/v2/list ': { post: { responses } },
        'https://api.acme.com/v2/list': { get: { responses } },
        'https://other.com/v2/notify': { get: { responses } },
      },
    });
    const below = [
      'POST /notify',
      'POST /notify#notify-list',
      'POST /notify#2',
      'POST /list',
      'GET /list#2',
    ];
    assert.deepEqual(
      routes.filter((route) => !route.includes('other')),
      below,
    );
    assert.equal(errors.length, 1);
    assert.match(
      errors[0] ?? '',
      /"https:\/\/other.com\/v2\/notify" is not a path that begins with "\/"/,
    );
  });
}

test('templates with queries are told apart where they mean one path (RFC 6570 section 3.2.8)', async (t) => {
  const { routes, errors } = await repaired(t, {
    openapi: '3.0.3',
    paths: {
      '/beds{?page,size}': { get: { operationId: 'listBeds', responses } },
      '/beds{?name}': { get: { operationId: 'findBed', responses } },
      '/beds': { post: { responses } },
      '/chairs': { get: { responses } },
      '/chairs{?name}{&size}': { get: { responses } },
    },
  });
  assert.deepEqual(routes, [
    'GET /beds#listBeds',
    'GET /beds#findBed',
    'POST /beds',
    'GET /chairs',
    'GET /chairs#2',
  ]);
  assert.deepEqual(errors, []);
});

test('a colon in a path stays where no parameter is called so', async (t) => {
  const { routes } = await repaired(t, {
    openapi: '3.0.3',
    paths: { '/things/:batch': { post: { responses } }, '/things:batch': { post: { responses } } },
  });
  assert.deepEqual(routes, ['POST /things/:batch', 'POST /things:batch']);
});

test('servers in Swagger 2.0 are read as its host, with the usual values of their variables', async (t) => {
  const { root, errors, strictErrors } = await repaired(t, {
    swagger: '2.0',
    servers: [
      { url: 'http://{unknown}/v1' },
      { url: 'https://{name}/v2', variables: { name: { default: 'api.acme.com:8443' } } },
    ],
    paths: { '/things': { get: { responses } } },
  });
  assert.deepEqual(root['servers'], [{ url: 'https://api.acme.com:8443/v2' }]);
  assert.deepEqual(errors, []);
  assert.notDeepEqual(strictErrors, []);
});

test('a path that is a parameter, without a slash of its own, takes whole paths', async (t) => {
  const { root } = await repaired(t, {
    openapi: '3.0.3',
    paths: {
      '{thing_href}': { get: { parameters: [inPath('thing_href')], responses } },
      '{box_href}sync/': { get: { parameters: [inPath('box_href')], responses } },
      '/{id}': { get: { parameters: [inPath('id')], responses } },
      '{tenant}/users': { get: { parameters: [inPath('tenant')], responses } },
    },
  });
  const paths = root['paths'] as Record<string, { get: { parameters: object[] } }>;
  assert.deepEqual(paths['/{tenant}/users']?.get.parameters, [inPath('tenant')]);
  const reserved = (name: string) => [{ ...inPath(name), allowReserved: true }];
  assert.deepEqual(paths['/{thing_href}']?.get.parameters, reserved('thing_href'));
  assert.deepEqual(paths['/{box_href}sync/']?.get.parameters, reserved('box_href'));
  assert.deepEqual(paths['/{id}']?.get.parameters, [inPath('id')]);
});
