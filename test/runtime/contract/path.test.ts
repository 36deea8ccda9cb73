import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { ToolError } from '#contract/errors';
import { label, matrix, path, segments, simple } from '#contract/path';
import { anyCharacter } from '../../any-character.ts';

test('path percent-encodes all but unreserved characters (RFC 3986 section 2.3)', () => {
  assert.equal(path`/v1/vulns/${"a/b?c#d e!'()*"}`, '/v1/vulns/a%2Fb%3Fc%23d%20e%21%27%28%29%2A');
  assert.equal(path`/v1/${'A-z_0.9~'}`, '/v1/A-z_0.9~');
  assert.equal(path`/n/${42}/${true}`, '/n/42/true');
});

for (const value of [
  '',
  '.',
  '..',
  'a/../b',
  '../x',
  'x/..',
  '%2e%2e',
  '%2E',
  'a%2f..%2fb',
  'a\\..\\b',
]) {
  test(`path refuses ${JSON.stringify(value)}, which is empty or climbs`, () => {
    assert.throws(
      () => path`/files/${value}`,
      (error) => error instanceof ToolError && error.code === 'invalid_arguments',
    );
  });
}

test('no interpolation leaves its segment, whatever is in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (value) => {
      let built: string;
      try {
        built = path`/base/${value}/end`;
      } catch (error) {
        assert.ok(error instanceof ToolError);
        return;
      }
      const url = new URL(built, 'https://vendor.example');
      assert.equal(url.origin, 'https://vendor.example');
      assert.equal(url.pathname.split('/').length, 4);
      assert.ok(url.pathname.startsWith('/base/') && url.pathname.endsWith('/end'));
      assert.equal(url.search + url.hash, '');
    }),
    { numRuns: 500 },
  );
});

test('path styles follow the table of OpenAPI 3.1, style values', () => {
  const array = ['blue', 'black'];
  const object = { R: 100, G: 200 };
  assert.equal(path`/${simple(array)}`, '/blue,black');
  assert.equal(path`/${simple(object)}`, '/R,100,G,200');
  assert.equal(path`/${simple(object, true)}`, '/R=100,G=200');
  assert.equal(path`/${label(array)}`, '/.blue,black');
  assert.equal(path`/${label(array, true)}`, '/.blue.black');
  assert.equal(path`/${label(object, true)}`, '/.R=100.G=200');
  assert.equal(path`/${matrix('color', array)}`, '/;color=blue,black');
  assert.equal(path`/${matrix('color', array, true)}`, '/;color=blue;color=black');
  assert.equal(path`/${matrix('color', object)}`, '/;color=R,100,G,200');
  assert.equal(path`/${matrix('color', object, true)}`, '/;R=100;G=200');
  assert.equal(path`/${matrix('id', 'a/b')}`, '/;id=a%2Fb');
});

test('an item with a dot is refused where dots stand between items', () => {
  const versions = ['1.2', '3'];
  for (const value of [versions, { a: '1.2' }, { '1.2': 'a' }, ['..']]) {
    assert.throws(() => label(value, true), /must hold no "\.", which stands between items/);
  }
  assert.equal(path`/${label(versions)}`, '/.1.2,3');
  assert.equal(path`/${label('1.2', true)}`, '/.1.2');
});

test('a list or an object without members is refused: its request would reach what is above it', () => {
  for (const value of [[], {}]) {
    for (const build of [
      () => path`/items/${simple(value)}`,
      () => path`/items/${simple(value, true)}`,
      () => path`/items/${label(value)}`,
      () => path`/items/${matrix('ids', value)}`,
      () => path`/items/${matrix('ids', value, true)}`,
    ]) {
      assert.throws(
        build,
        new ToolError(
          'invalid_arguments',
          `a path part must hold at least one value, but ${JSON.stringify(value)} was given`,
        ),
      );
    }
  }
});

test('a name with slashes keeps them, and cannot leave its place', () => {
  const name = 'projects/a b/things/é?';
  assert.equal(path`/v1/${segments(name)}:go`, '/v1/projects/a%20b/things/%C3%A9%3F:go');
  for (const bad of ['', '/a', 'a//b', 'a/../b', 'a/%2e%2e/b', 'a/', 'a\\..\\b']) {
    assert.throws(() => path`/v1/${segments(bad)}`, ToolError, bad);
  }
});

test('a value that is a whole path keeps its slashes at either end, and is none of another host', () => {
  assert.equal(path`/${segments('/v3/a b/', true)}`, '/v3/a%20b/');
  assert.equal(path`/${segments('/v3/a/', true)}sync/`, '/v3/a/sync/');
  assert.equal(path`/${segments('v3', true)}`, '/v3');
  const elsewhere = ['//evil.example/a', 'https://evil.example/a', '\\\\evil.example'];
  for (const bad of ['', '/', '//', '/a//', '/../a', '/a/%2e%2e/b/', ...elsewhere.slice(0, 2)]) {
    assert.throws(() => path`/${segments(bad, true)}`, ToolError, bad);
  }
  assert.equal(path`/${segments(elsewhere[2] ?? '', true)}`, '/%5C%5Cevil.example');
});
