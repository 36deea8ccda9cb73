import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';

const folder = new URL('../../../../specs/schemas/', import.meta.url);

test('the schemas of the house are such of draft 2020-12, which reading a spec takes for granted', () => {
  const ajv = new Ajv2020({ strict: false });
  const names = readdirSync(folder).filter((name) => name.endsWith('.schema.json'));
  assert.ok(names.length > 0);
  for (const name of names) {
    const schema = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
    assert.ok(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`);
  }
});
