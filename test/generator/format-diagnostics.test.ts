import assert from 'node:assert/strict';
import test from 'node:test';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.ts';
import {
  formatDiagnostics,
  sortDiagnostics,
} from '../../generator/diagnostics/format-diagnostics.ts';

const duplicate: Diagnostic = {
  code: 'SPEC012',
  severity: 'error',
  file: 'specs/a,b.yaml',
  line: 9,
  column: 7,
  pointer: '/paths/~1a/post/operationId',
  message: 'operationId "a" is already used',
  help: 'rename one: 100% sure',
  related: [{ file: 'specs/a,b.yaml', line: 6, column: 7, message: 'first' }],
};

test('text puts a problem on one clickable line and its help on an indented second', () => {
  assert.equal(
    formatDiagnostics([duplicate], 'text'),
    'specs/a,b.yaml:9:7 error SPEC012 operationId "a" is already used (first at 6:7)\n' +
      '    rename one: 100% sure\n',
  );
});

test('text names the file of a related place only where it is another one', () => {
  const related = [{ file: 'specs/c.yaml', line: 6, column: 7, message: 'first' }];
  assert.match(
    formatDiagnostics([{ ...duplicate, related }], 'text'),
    /first at specs\/c.yaml:6:7/,
  );
});

test('text shows control and direction characters instead of obeying them', () => {
  const message = 'a\u001b[2Jb\nc\u202ed';
  assert.match(
    formatDiagnostics([{ ...duplicate, message }], 'text'),
    /a\\u\{1b\}\[2Jb\\u\{a\}c\\u\{202e\}d/,
  );
});

test('json gives the records back', () => {
  assert.deepEqual(JSON.parse(formatDiagnostics([duplicate], 'json')), [duplicate]);
});

test('github prints workflow commands with their escapes', () => {
  assert.equal(
    formatDiagnostics([duplicate, { ...duplicate, severity: 'info', file: 'x' }], 'github'),
    '::error file=specs/a%2Cb.yaml,line=9,col=7,title=SPEC012::' +
      'operationId "a" is already used (first at 6:7)%0Arename one: 100%25 sure\n' +
      '::notice file=x,line=9,col=7,title=SPEC012::' +
      'operationId "a" is already used (first at specs/a,b.yaml:6:7)%0Arename one: 100%25 sure\n',
  );
});

test('diagnostics are sorted by file, line as a number, and column', () => {
  const at = (file: string, line: number) => ({ ...duplicate, file, line });
  const sorted = sortDiagnostics([at('b', 1), at('a', 10), at('a', 9)]);
  assert.deepEqual(
    sorted.map(({ file, line }) => `${file}${line}`),
    ['a9', 'a10', 'b1'],
  );
});
