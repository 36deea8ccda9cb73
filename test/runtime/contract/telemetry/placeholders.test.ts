import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillIn, placeholdersIn } from '#contract/telemetry/placeholders';

test('placeholders are found with their forms, and nothing else in angle brackets', () => {
  assert.deepEqual(placeholdersIn('a <name> <start:ns> <Name> < x > <key:label>'), [
    { name: 'name' },
    { name: 'start', form: 'ns' },
    { name: 'key', form: 'label' },
  ]);
});

test('a text is filled in once: what looks like a placeholder in a value stays', () => {
  const text = fillIn('<a>-<b:upper>', ({ name, form }) => (form ? `<${name}>` : '<b:upper>'));
  assert.equal(text, '<b:upper>-<b>');
});

test('a text of which one placeholder has no value is none', () => {
  assert.equal(
    fillIn('<a><b>', ({ name }) => (name === 'a' ? '1' : undefined)),
    undefined,
  );
  assert.equal(
    fillIn('<a>', () => ''),
    '',
  );
});
