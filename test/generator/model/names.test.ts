import assert from 'node:assert/strict';
import test from 'node:test';
import {
  asIdentifier,
  camelCase,
  distinct,
  pascalCase,
  shortToolName,
  snakeCase,
  wordsOf,
} from '../../../generator/model/texts/names.ts';

test('names split at case changes and at what is no letter or digit; digits stay behind', () => {
  assert.deepEqual(wordsOf('listV2Things'), ['list', 'V2', 'Things']);
  assert.deepEqual(wordsOf('HTTPServer-status_page'), ['HTTP', 'Server', 'status', 'page']);
  assert.deepEqual(wordsOf('größeÄndern'), ['größe', 'Ändern']);
});

test('constants are camelCase, types PascalCase', () => {
  assert.equal(camelCase('osv_query_batch'), 'osvQueryBatch');
  assert.equal(pascalCase('osv_query_batch'), 'OsvQueryBatch');
});

test('reserved words, globals, imported names and leading digits get an underscore', () => {
  assert.deepEqual(['delete', 'Promise', 'path', '1st', '', 'fine'].map(asIdentifier), [
    '_delete',
    '_Promise',
    '_path',
    '_1st',
    '_',
    'fine',
  ]);
});

test('the second of two names gets a number, whatever its case', () => {
  assert.deepEqual(distinct(['a', 'A', 'b', 'a', 'a2']), ['a', 'A2', 'b', 'a3', 'a22']);
});

test('tool names are ASCII: other letters become their code point', () => {
  assert.equal(snakeCase('getGröße'), 'get_gr_f6_dfe');
});

test('a tool name over 48 characters is cut and ends in a hash of its identity', () => {
  const long = 'github_'.padEnd(70, 'abcdefg_');
  const short = shortToolName(long, 'repos/list');
  assert.equal(short.length <= 48, true);
  assert.match(short, /_[0-9a-f]{6}$/);
  assert.notEqual(short, shortToolName(long, 'repos/other'));
  assert.equal(shortToolName('short', 'x'), 'short');
});
