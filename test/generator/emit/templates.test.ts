import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { code, prose } from '../../../generator/emit/docs/markdown.ts';
import { joined, plain, printed } from '../../../generator/emit/print/printed.ts';
import { render } from '../../../generator/emit/templates/render.ts';

const row = { name: code('a'), purpose: prose('Does a'), effect: printed`reads` };

test('a template takes what printers have made, and nothing that only has the type of it', () => {
  assert.equal(
    String(render('tools', { groups: [{ title: prose('<x>'), tools: [] }] })).split('\n')[2],
    '## \\<x\\>',
  );
  // @ts-expect-error a text of a vendor is no printed value
  assert.throws(() => render('tools', { groups: [{ title: '<x>', tools: [] }] }), {
    message: 'tools.groups.0.title: a template takes printed values, not "<x>"',
  });
  // @ts-expect-error neither is a number
  assert.throws(() => render('tools', { groups: [{ ...row, tools: [{ ...row, scopes: 1 }] }] }), {
    message: 'tools.groups.0.tools.0.scopes: a template takes printed values, not 1',
  });
});

test('a value that a template mentions and nobody gave stops it', () => {
  const groups = [{ title: prose('x'), tools: [row] }];
  assert.throws(() => render('tools', { groups }), /"scopes" not defined/);
});

test('a plain name is a name and nothing else', () => {
  assert.equal(
    String(joined([plain('specs/providers/a_b'), plain('x.md')], ', ')),
    'specs/providers/a_b, x.md',
  );
  for (const name of ['', 'a b', 'a)', '`', 'a\nb', '[x]']) {
    assert.throws(() => plain(name), /is no plain name/);
  }
});

test('only printers make printed values, and templates have no other way to show a text', () => {
  const home = join(import.meta.dirname, '../../..');
  const makers = globSync('generator/**/*.ts', { cwd: home }).filter((file) =>
    readFileSync(join(home, file), 'utf8').includes('new Printed('),
  );
  assert.deepEqual(makers.sort(), [
    'generator/emit/docs/markdown.ts',
    'generator/emit/docs/tool-page.ts',
    'generator/emit/print/code.ts',
    'generator/emit/print/printed.ts',
    'generator/emit/print/schema-types.ts',
    'generator/emit/skills/provider-skill.ts',
    'generator/emit/templates/render.ts',
  ]);
  for (const file of globSync('generator/emit/templates/**/*.hbs', { cwd: home })) {
    // Besides values: blocks and partials of the generator itself (handlebars knows no others).
    const tags = readFileSync(join(home, file), 'utf8').match(/\{\{[^}]*\}\}+/g) ?? [];
    for (const tag of tags) {
      assert.match(
        tag,
        /^\{\{(?:[#/](?:if|each)[^}]*|else|> [a-z-]+[^}]*|\w+)\}\}$/,
        `${file}: ${tag}`,
      );
    }
  }
});
