import assert from 'node:assert/strict';
import test from 'node:test';
import { among } from '../../../generator/model/schema/listed-values.ts';
import { ToolSchemas } from '../../../generator/model/schema/tool-schema.ts';
import { bodyMembers } from '../../../generator/model/vendor/inputs/body-members.ts';
import type { ToolInput } from '../../../generator/model/vendor/inputs/tool-input.ts';
import { facetChanges } from '../../../generator/provider/drift/schema/facet-changes.ts';
import { viewOf } from '../../../generator/provider/drift/schema/schema-view.ts';
import type { ApiDocument } from '../../../generator/read/document/api-document.ts';

const count = 500;
const document: ApiDocument = { version: '3.1', root: {}, operations: [] } as never;

test('values are among others whatever the order of their members is', () => {
  const isListed = among([1, 'a', { b: 1, c: [2] }, null]);
  const found = [1, '1', 'a', { c: [2], b: 1 }, { b: 1 }, [1], null].filter(isListed);
  assert.deepEqual(found, [1, 'a', { c: [2], b: 1 }, null]);
});

test('each of many listed values is looked at a few times when a later list is held against it', () => {
  let looks = 0;
  const view = (first: number) => {
    const values = Array.from({ length: count }, (_, index) => ({
      get value() {
        looks += 1;
        return first + index;
      },
    }));
    return viewOf(document, [{ node: { enum: values }, pointer: '' }]);
  };
  const [change, ...others] = facetChanges([document, view(0)], [document, view(1)]);
  assert.equal(change?.text, 'no longer takes {"value":0}');
  assert.deepEqual(
    others.map(({ text }) => text),
    [`takes {"value":${count}} too`],
  );
  assert.ok(looks < 10 * count, `${looks} looks`);
});

test('each of many arguments is looked at a few times when members of a body are told apart', () => {
  let looks = 0;
  const inputs = Array.from({ length: count }, (_, index): ToolInput => {
    const wire = `member${index}`;
    const schema = { type: 'string' };
    return { from: 'body', wire, path: [wire], name: wire, schema, required: false, style: {} };
  });
  const given = inputs.map((input) => ({
    name: `argument_${input.wire}`,
    converted: { schema: {}, components: new Set<string>() },
    required: false,
    get input() {
      looks += 1;
      return input;
    },
  }));
  const sent = inputs.map((input) => ({ input, value: { of: 'argument' } }));
  const members = bodyMembers(sent as never, given as never, new ToolSchemas(document));
  assert.equal(members.get('member499')?.name, 'argument_member499');
  assert.ok(looks < 10 * count, `${looks} looks`);
});
