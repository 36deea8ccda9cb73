import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiOperations } from '../../../../generator/model/schema/api-operations.ts';
import { guessServer } from '../../../../generator/provider/guess/guess-server.ts';
import { obstacles } from '../../../../generator/provider/operations/operation-obstacle.ts';
import { documentOf } from './described.ts';

for (const [url, origin, expected] of [
  ['/v1', 'http://127.0.0.1:8000/openapi.json', 'http://127.0.0.1:8000/v1'],
  [undefined, 'http://localhost:8000/docs/openapi.json', 'http://localhost:8000'],
  ['', 'http://localhost:8000/docs/api/schema', 'http://localhost:8000'],
  ['http://10.0.0.7/api', undefined, 'http://10.0.0.7/api'],
  ['localhost:6680/api/v1', undefined, 'http://localhost:6680/api/v1'],
  ['printer.local/api', undefined, 'http://printer.local/api'],
  ['192.168.1.4:8443/api', undefined, 'https://192.168.1.4:8443/api'],
  ['http://search-service/v1', undefined, 'http://search-service/v1'],
  ['https://localhost:7000', undefined, 'https://localhost:7000'],
  ['http://localhost:7000', 'https://localhost:7000/openapi.json', 'https://localhost:7000'],
  ['https://yourdomain.com/api', undefined, 'https://acme.example/api'],
  ['https://api.your-server.net:8443/api', 'https://acme.dev/x.json', 'https://acme.example/api'],
  ['https://yourmembership.com/api', undefined, 'https://yourmembership.com/api'],
  ['https://your-company.acme.dev/api', undefined, 'https://your-company.acme.dev/api'],
  ['api.acme.example/v1', undefined, 'https://api.acme.example/v1'],
  ['swagger.json', 'https://acme.example/docs/', 'https://acme.example/docs/swagger.json'],
  ['https://me:secret@api.acme.example/?key=1#x', undefined, 'https://api.acme.example'],
] as const) {
  test(`a server ${url} of a description at ${origin} is ${expected}`, () => {
    const document = documentOf(url === undefined ? {} : { servers: [{ url }] });
    assert.equal(guessServer(document, 'acme', origin).url, expected);
  });
}

test('the first server that is an address wins', () => {
  const servers = [{ url: '' }, { url: 'ftp://acme.example' }, { url: 'https://api.acme.example' }];
  assert.equal(
    guessServer(documentOf({ servers }), 'acme', undefined).url,
    'https://api.acme.example',
  );
});

test('a server of the authors comes behind the same one of all others, a sandbox stays first', () => {
  const first = (...urls: string[]) =>
    guessServer(documentOf({ servers: urls.map((url) => ({ url })) }), 'acme', undefined).url;
  const usual = 'https://api.acme.example/v1';
  for (const trial of ['dev', 'staging', 'api-qa2', 'apis-prelive']) {
    assert.equal(first(`https://${trial}.acme.example/v1`, usual), usual);
  }
  for (const own of [
    'https://sandbox.acme.example/v1',
    'https://dev.acme.example/v2',
    'https://api.acme-dev.example.net/v1',
    'https://developers.acme.example/v1',
  ]) {
    assert.equal(first(own, usual), own);
  }
  assert.equal(first('https://dev.acme.example/v1'), 'https://dev.acme.example/v1');
});

test('a server that others can reach comes before that of whoever wrote the description', () => {
  const local = { url: 'http://localhost:8080/api' };
  const servers = [local, { url: 'https://store.acme.dev/api' }];
  const guessed = (origin?: string, listed = servers) =>
    guessServer(documentOf({ servers: listed }), 'acme', origin);
  assert.deepEqual(guessed(), {
    url: 'https://store.acme.dev/api',
    review: 'taken from the description; it also names http://localhost:8080/api',
  });
  // The one that has given the description runs.
  assert.equal(guessed('http://localhost:8080/openapi.json').url, local.url);
  // A name of one label is known in its own network alone.
  assert.equal(
    guessed(undefined, [{ url: 'http://search' }, { url: 'https://acme.dev' }]).url,
    'https://acme.dev',
  );
  // A name that is kept for examples is nobody's (RFC 2606).
  assert.equal(guessed(undefined, [local, { url: 'https://api.example.com' }]).url, local.url);
  assert.equal(guessed(undefined, [{ url: 'ftp://acme.dev' }, local]).url, local.url);
});

test('a host that only its own network knows is told as such, but the one that has given the description', () => {
  const reviewOf = (url: string, origin?: string) =>
    guessServer(documentOf({ servers: [{ url }] }), 'acme', origin).review;
  for (const url of ['https://serverroot/v1', 'https://localhost', 'http://10.0.0.7/api']) {
    assert.match(
      reviewOf(url) ?? '',
      /^taken from .*; only its own network .*: write that of yours$/,
    );
  }
  assert.equal(reviewOf('https://acme.dev'), undefined);
  assert.equal(
    reviewOf('http://localhost:8080/api', 'http://localhost:8080/openapi.json'),
    undefined,
  );
});

for (const [first, second, isSecond] of [
  ['Staging server', 'Production server', true],
  ['Acme IAT Environment', 'Acme PROD Environment', true],
  ['Pre-production', 'Live', true],
  ['Acme - ACCEPTATIE', 'Acme - PRODUCTIE', true],
  ['测试环境', '生产环境', true],
  ['Sandbox, for testing', 'Production', false],
  ['Staging server', 'Pre-production server', false],
  ['Europe', 'Production', false],
  ['', 'Production', false],
] as const) {
  test(`of servers called "${first}" and "${second}", the ${isSecond ? 'second' : 'first'} is meant for all`, () => {
    const servers = [
      { url: 'https://one.acme.dev', description: first },
      { url: 'https://other.acme.net', description: second },
    ];
    const { url } = guessServer(documentOf({ servers }), 'acme', undefined);
    assert.equal(url, isSecond ? 'https://other.acme.net' : 'https://one.acme.dev');
  });
}

test('a server gets TLS and the defaults of its variables; without one a person is asked', () => {
  const server = {
    url: 'http://{region}.acme.example/v1/',
    variables: { region: { default: 'eu' } },
  };
  assert.deepEqual(guessServer(documentOf({ servers: [server] }), 'acme', undefined), {
    url: 'https://eu.acme.example/v1',
    review: 'region took the default value',
  });
  const unknown = guessServer(documentOf({ servers: [{ url: 'ftp://x' }] }), 'acme', undefined);
  assert.match(unknown.review ?? '', /write its base URL here/);
});

for (const [url, expected, review] of [
  ['https://$shop.acme.dev/v1', 'https://shop.acme.dev/v1', 'shop has no value: write yours'],
  ['https://<shop>.acme.dev/v1', 'https://shop.acme.dev/v1', 'shop has no value: write yours'],
  ['https://__shop__.acme.dev/v1', 'https://shop.acme.dev/v1', 'shop has no value: write yours'],
  ['https://{shop}.acme.dev/v1', 'https://shop.acme.dev/v1', 'shop has no value: write yours'],
  [
    'https://acme.dev/{your_org}/v1',
    'https://acme.dev/your-org/v1',
    'your_org has no value: write yours',
  ],
] as const) {
  test(`the variable without a value in ${url} is written by a person`, () => {
    for (const variables of [undefined, { shop: {}, your_org: { description: 'Yours' } }]) {
      const server = { url, ...(variables && { variables }) };
      const found = guessServer(documentOf({ servers: [server] }), 'acme', undefined);
      assert.equal(found.url, expected);
      assert.ok(found.review?.includes(review));
    }
  });
}

test('an empty part of a host is written by a person, one that may be left out is none', () => {
  const variables = { shop: { default: '' }, zone: { default: '' } };
  const found = (url: string) =>
    guessServer(documentOf({ servers: [{ url, variables }] }), 'acme', undefined);
  assert.deepEqual(found('https://{shop}.acme.dev/{zone}'), {
    url: 'https://shop.acme.dev',
    review: 'zone took the default value; shop has no value: write yours',
  });
  assert.equal(found('https://{shop}api.acme.dev/v1').url, 'https://api.acme.dev/v1');
});

for (const place of ['{SHOP}', '<SHOP>', '$SHOP']) {
  test(`the place ${place} in the default of a variable is written by a person`, () => {
    const variables = { domain: { default: `${place}.acme.dev` } };
    const servers = [{ url: 'https://{domain}/v1', variables }];
    assert.deepEqual(guessServer(documentOf({ servers }), 'acme', undefined), {
      url: 'https://shop.acme.dev/v1',
      review: 'domain took the default value; SHOP has no value: write yours',
    });
  });
}

test('the default of a variable that stands for the host of whoever reads it is none', () => {
  const server = { url: 'https://{host}/v1', variables: { host: { default: 'yourdomain.com' } } };
  const others = [{ url: 'http://localhost:5000/v1' }];
  const { url, review } = guessServer(documentOf({ servers: [server] }), 'acme', undefined);
  assert.equal(url, 'https://acme.example/v1');
  assert.match(review ?? '', /names no host/);
  const known = guessServer(documentOf({ servers: [server, ...others] }), 'acme', undefined);
  assert.equal(known.url, 'http://localhost:5000/v1');
});

test('a variable that is the whole of an address is none', () => {
  const found = guessServer(documentOf({ servers: [{ url: '{baseUrl}/v1' }] }), 'acme', undefined);
  assert.equal(found.url, 'https://acme.example/v1');
});

for (const host of [
  'https://$ACME_URL',
  `https://\${ACME_URL}`,
  'https://__ACME_ENV_DOMAIN__',
  'https://<host>:<port>',
  'http://{{host}}:8080',
  '%ACME_HOST%',
  '{{baseUrl}}',
]) {
  test(`${host} is a place for a host, which a person names`, () => {
    for (const origin of [undefined, 'https://docs.acme.dev/openapi.yaml']) {
      const guessed = (url: string, ...others: string[]) => {
        const servers = [url, ...others].map((each) => ({ url: each }));
        return guessServer(documentOf({ servers }), 'acme', origin);
      };
      assert.deepEqual(guessed(host), {
        url: 'https://acme.example',
        review: 'the description names no server: write its base URL here',
      });
      assert.deepEqual(guessed(`${host}/api/v2`), {
        url: 'https://acme.example/api/v2',
        review: 'the description names no host: write that of your server here',
      });
      assert.deepEqual(guessed(host, 'https://api.acme.dev'), { url: 'https://api.acme.dev' });
    }
  });
}

test('where only the path of a server is known, it is kept below a host that a person names', () => {
  const servers = [{ url: '/open-banking/v2.0/' }];
  assert.deepEqual(guessServer(documentOf({ servers }), 'acme', undefined), {
    url: 'https://acme.example/open-banking/v2.0',
    review: 'the description names no host: write that of your server here',
  });
  const root = guessServer(documentOf({ servers: [{ url: '/' }] }), 'acme', undefined);
  assert.equal(root.url, 'https://acme.example');
});

test('whoever settles the server is told of the others', () => {
  const servers = [{ url: 'https://sandbox.acme.example' }, { url: 'https://api.acme.example/' }];
  assert.deepEqual(guessServer(documentOf({ servers }), 'acme', undefined), {
    url: 'https://sandbox.acme.example',
    review: 'taken from the description; it also names https://api.acme.example',
  });
});

test('the server that most operations name for themselves wins, and what has another one stays off', () => {
  const servers = [{ url: 'https://maps.acme.example/v2' }];
  const paths = {
    ...{ '/a': { servers, get: {} }, '/b': { get: { servers } } },
    '/c': { get: {} },
  };
  const document = documentOf({ servers: [{ url: 'https://www.acme.example' }], paths });
  assert.equal(guessServer(document, 'acme', undefined).url, 'https://maps.acme.example/v2');
  const obstacleOf = obstacles({ id: 'acme', document, origin: undefined });
  assert.deepEqual(
    new ApiOperations(document).all.map((each) => obstacleOf(each)?.slice(0, 41)),
    [undefined, undefined, 'its server is https://www.acme.example: g'],
  );
});

test('what stands in the query of an address is left out, and said so by its name alone', () => {
  const servers = [{ url: 'https://api.things.example.org/v1?format=json&<x>=1' }];
  const { url, review = '' } = guessServer(documentOf({ servers }), 'things', undefined);
  assert.equal(url, 'https://api.things.example.org/v1');
  assert.match(review, /^format of its query is left out, .* into query of this file$/);
  assert.doesNotMatch(review, /json|<x>/);
});

test('where a variable of a server is empty, the slashes around it are one', () => {
  const variables = { tenant: { default: '' } };
  const servers = [{ url: 'https://acme.example/{tenant}/v1', variables }];
  const { url } = guessServer(documentOf({ servers }), 'acme', undefined);
  assert.equal(url, 'https://acme.example/v1');
});

test('a server that stands beside a file of unknown address is that of its operations', () => {
  const paths = { '/a': { get: {} }, '/b': { servers: [{ url: 'v1/' }], get: {} } };
  const document = documentOf({ servers: [{ url: 'v1' }], paths });
  assert.equal(guessServer(document, 'acme', undefined).url, 'https://acme.example/v1');
  const obstacle = obstacles({ id: 'acme', document, origin: undefined });
  assert.deepEqual(new ApiOperations(document).all.map(obstacle), [undefined, undefined]);
});

test('a server without a text as its address is none', () => {
  for (const url of [undefined, null, 7, ['https://api.acme.example']]) {
    assert.deepEqual(guessServer(documentOf({ servers: [{ url }] }), 'acme', undefined), {
      url: 'https://acme.example',
      review: 'the description names no server: write its base URL here',
    });
  }
});

test('a server whose address is none is told apart from one that is not named', () => {
  for (const url of ['http://x:99999', 'wss://api.acme.example', 'https://me:s3cret@[']) {
    assert.deepEqual(guessServer(documentOf({ servers: [{ url }] }), 'acme', undefined), {
      url: 'https://acme.example',
      review:
        'what the description names as its server is no http(s) address: write its base URL here',
    });
  }
});

test('of two servers that are the same but for TLS, that with it is meant', () => {
  const guessed = (origin: string | undefined, ...urls: string[]) =>
    guessServer(documentOf({ servers: urls.map((url) => ({ url })) }), 'acme', origin).url;
  const [open, secured] = ['http://api.acme.dev:8443/v1', 'https://api.acme.dev:8443/v1'];
  assert.equal(guessed(undefined, open, 'https://other.acme.dev', secured), secured);
  assert.equal(guessed(undefined, open, 'https://other.acme.dev'), open);
  // Who has given the description without TLS may know none.
  assert.equal(guessed('http://api.acme.dev:8443/openapi.json', open, secured), open);
  const near = 'http://localhost:8080';
  assert.equal(guessed(undefined, near, 'https://localhost:8080'), near);
});
