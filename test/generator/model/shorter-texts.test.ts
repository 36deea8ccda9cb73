import assert from 'node:assert/strict';
import test from 'node:test';
import { bytesOf, withShorterTexts } from '../../../generator/model/schema/shorter-texts.ts';

const text = 'words '.repeat(400).trim();
const schema = {
  type: 'object',
  properties: {
    // An argument of this name is no text.
    description: { type: 'string', description: text, maxLength: 5 },
    inner: { type: 'object', properties: { part: { $ref: '#/$defs/Part' } } },
  },
  $defs: { Part: { type: 'string', description: text, enum: ['a'] } },
};

test('texts are cut as far as a schema needs it, those inside of arguments first', () => {
  assert.equal(withShorterTexts(schema, bytesOf(schema)).schema, schema);
  const cut = withShorterTexts(schema, 1700);
  const shorter = cut.schema as typeof schema;
  assert.ok(cut.bytes <= 1700);
  assert.equal(cut.bytes, bytesOf(shorter));
  assert.equal(cut.wholeBytes, bytesOf(schema));
  assert.ok(shorter.properties.description.description.length > 900);
  assert.ok(shorter.$defs.Part.description.length <= 300);
});

test('what limits values stays where no text is left', () => {
  const { schema: bare } = withShorterTexts(schema, 10);
  assert.deepEqual(bare, {
    type: 'object',
    properties: {
      description: { type: 'string', maxLength: 5 },
      inner: { type: 'object', properties: { part: { $ref: '#/$defs/Part' } } },
    },
    $defs: { Part: { type: 'string', enum: ['a'] } },
  });
});

test('bytes are those of the JSON text, definitions among them, whichever have been counted before', () => {
  const { Part } = schema.$defs;
  for (const $defs of [{}, { Part }, { Part, 'öther "name"': {}, Gone: undefined, Any: true }]) {
    const whole = { ...schema, $defs };
    assert.equal(bytesOf(whole), Buffer.byteLength(JSON.stringify(whole)));
  }
});
