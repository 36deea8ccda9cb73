import assert from 'node:assert/strict';
import test from 'node:test';
import { holds, parseCondition } from '#contract/workflow/condition';
import {
  ExpressionError,
  evaluate,
  parseExpression,
  resolveValue,
  type Scope,
} from '#contract/workflow/expression';

const scope: Scope = {
  inputs: { name: 'Ada', list: [1, { deep: true }], 'a-b': 2, text: '{$inputs.name}' },
  steps: { first: { items: [{ title: 'One' }], nothing: null } },
  response: { statusCode: 404, body: { 'a/b': 1, 'a~b': 2, rows: [{ id: 7 }] } },
};

const values: readonly (readonly [string, unknown])[] = [
  ['$inputs.name', 'Ada'],
  ['$inputs.a-b', 2],
  ['$inputs.list[1].deep', true],
  ['$inputs.list#/1/deep', true],
  ['$inputs.list[9]', undefined],
  ['$inputs.constructor', undefined],
  ['$steps.first.outputs.items#/0/title', 'One'],
  ['$steps.second.outputs.items', undefined],
  ['$response.body', scope.response?.body],
  ['$response.body#/a~1b', 1],
  ['$response.body#/a~0b', 2],
  ['$response.body.rows[0].id', 7],
  ['$statusCode', 404],
];

for (const [text, value] of values) {
  test(`${text} is ${JSON.stringify(value)}`, () => {
    assert.deepEqual(evaluate(parseExpression(text), scope), value);
  });
}

for (const text of [
  '$inputs',
  '$steps.a',
  '$steps.a.outputs',
  '$response.header.x',
  '$url',
  '$statusCode.a',
  '$inputs.a[b]',
  '$inputs.a#b',
]) {
  test(`${text} is no expression`, () => {
    assert.throws(() => parseExpression(text), ExpressionError);
  });
}

test('a value has its expressions replaced once, and nothing in place of what is not there', () => {
  assert.deepEqual(
    resolveValue(
      {
        whole: '$inputs.list',
        text: 'Dear {$inputs.name}, {$steps.first.outputs.nothing}{$inputs.none}!',
        data: '{$steps.first.outputs.items}',
        dollar: '$5',
        missing: '$inputs.none',
        empty: '$steps.first.outputs.nothing',
        null: null,
        list: ['$inputs.none', '$inputs.text'],
      },
      scope,
    ),
    {
      whole: [1, { deep: true }],
      text: 'Dear Ada, !',
      data: '[{"title":"One"}]',
      dollar: '$5',
      null: null,
      list: [null, '{$inputs.name}'],
    },
  );
});

const conditions: readonly (readonly [string, boolean])[] = [
  ['$statusCode == 404', true],
  ['$statusCode != 404', false],
  ['$statusCode >= 400 && $statusCode < 500', true],
  ['$statusCode < 400 || $statusCode > 403', true],
  ['!($statusCode == 404)', false],
  ["$inputs.name == 'ADA'", true],
  ["$inputs.name == 'It''s'", false],
  ["$inputs.name < 'b'", true],
  ['$inputs.none == null', true],
  ['$inputs.none', false],
  ['$inputs.list', true],
  ['$inputs.name > 1', false],
  ['$response.body#/rows/0/id == 7', true],
  ['$inputs.list[0] == 1.0', true],
  ['true && !false', true],
  ['$inputs.list == $inputs.list', true],
];

for (const [text, wanted] of conditions) {
  test(`${text} is ${wanted}`, () => assert.equal(holds(parseCondition(text), scope), wanted));
}

for (const text of [
  '',
  '==',
  '$statusCode ==',
  '1 2',
  '(1',
  ')',
  'a == 1',
  "'open",
  `${'('.repeat(20)}1`,
]) {
  test(`${JSON.stringify(text)} is no condition`, () => {
    assert.throws(() => parseCondition(text), ExpressionError);
  });
}
