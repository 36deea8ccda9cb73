import assert from 'node:assert/strict';
import test from 'node:test';
import { ReadOnlyProperties } from '../../../../generator/model/schema/read-only-properties.ts';
import { documentOf } from '../../provider/guess/described.ts';

const text = { type: 'string' };

test('what only stands in answers says so by itself, by what it refers to, or in its text', () => {
  const components = {
    schemas: { Time: { ...text, description: 'Output only. When it was made.' } },
  };
  const found = new ReadOnlyProperties(documentOf({ paths: {}, components })).of({
    properties: {
      id: { ...text, readOnly: true },
      made: { $ref: '#/components/schemas/Time' },
      state: { ...text, description: 'Output. How it stands.' },
      changed: { ...text, description: 'Output only.' },
      // Others are about an output, or say that they are none of these.
      output: { ...text, description: 'Output format of the file.' },
      sound: { ...text, description: 'Output only the first words.' },
      name: { ...text, description: 'Output only. Unless sent.', readOnly: false },
    },
  });
  assert.deepEqual([...found], ['id', 'made', 'state', 'changed']);
});
