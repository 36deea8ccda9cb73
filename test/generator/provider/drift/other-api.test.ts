import assert from 'node:assert/strict';
import test from 'node:test';
import { createWorkplace } from '../workplace.ts';

/** A description of things that can be read, one at each path. */
function described(title: string, server: string, paths: readonly string[]): string {
  const items = paths.map(
    (path) =>
      `  ${path}:\n    get: { operationId: 'get${path.replaceAll('/', '_')}', responses: { '200': { description: OK } } }`,
  );
  const servers = server === '' ? '' : `servers: [{ url: '${server}' }]\n`;
  return `openapi: 3.1.0\ninfo: { title: '${title}', version: '2' }\n${servers}paths:\n${items.join('\n')}\n`;
}

const paths = ['/boats', '/lids', '/users', '/cars', '/trees'];
const kept = described('Acme API', 'https://api.acme.com/v1', paths);

const others: readonly [string, string, RegExp][] = [
  [
    'that has none of its operations, another title and another host',
    described('Globex Cloud API', 'https://globex.io', ['/songs', '/albums']),
    /^later\.yaml:2:9 error P040 none of the 5 operations of acme are in this description: it describes "Globex Cloud API" of globex\.io, acme keeps "Acme API" of acme\.com\n {4}give a later/,
  ],
  [
    'that has one of its operations by chance',
    described('Globex Cloud API', 'https://globex.io', ['/songs', '/users']),
    / P040 1 of the 5 operations of acme are in this/,
  ],
  [
    'of another part of the same vendor',
    described('Billing', 'https://api.acme.com/v1', ['/invoices']),
    / P040 none of the 5 operations of acme are/,
  ],
  [
    'of the same common title elsewhere',
    described('Acme API', 'https://acme.globex.io', ['/songs']),
    / P040 none of the 5 operations of acme are/,
  ],
  [
    'without an operation',
    'openapi: 3.1.0\ninfo: { title: Acme API, version: "2" }\npaths: {}\n',
    / P040 none of the 5 operations of acme are in this description: it has no operations, acme/,
  ],
];

for (const [what, later, expected] of others) {
  test(`a description ${what} is not held against a provider`, async (t) => {
    const { run, write } = createWorkplace(t);
    write('kept.yaml', kept);
    write('later.yaml', later);
    await run('add', 'acme', '--openapi', 'kept.yaml');
    const { code, out, err } = await run('drift', 'acme', '--openapi', 'later.yaml');
    assert.equal(code, 2);
    assert.match(err, expected);
    assert.equal(`${out}${err}`.trimEnd().split('\n').length, 2);
    const json = await run('drift', 'acme', '--openapi', 'later.yaml', '--format', 'json');
    const { complete, changes, diagnostics } = JSON.parse(json.out);
    assert.deepEqual([json.code, complete, changes], [2, false, []]);
    assert.equal(diagnostics[0].code, 'P040');
  });
}

const same: readonly [string, string, number][] = [
  ['at the same paths', described('Globex', 'https://globex.io', paths), 1],
  ['of the same title without them', described('Acme 2', '', ['/v2/boats']), 1],
];

for (const [what, later, code] of same) {
  test(`a description ${what} is a later one, whatever else has changed`, async (t) => {
    const { run, write } = createWorkplace(t);
    write('kept.yaml', kept);
    write('later.yaml', later);
    await run('add', 'acme', '--openapi', 'kept.yaml');
    const drift = await run('drift', 'acme', '--openapi', 'later.yaml');
    assert.equal(drift.code, code, drift.out);
    assert.match(drift.out, /^acme: 5 tools held against version 2: /m);
  });
}
