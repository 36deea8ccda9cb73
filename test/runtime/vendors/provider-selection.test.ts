import assert from 'node:assert/strict';
import test from 'node:test';
import { ConfigError } from '#contract/config/config';
import type { ProviderEntry } from '#contract/provider';
import { selectProviders } from '../../../runtime/vendors/provider-selection.ts';

const entry = (...presets: string[]): ProviderEntry => ({
  title: 'A vendor',
  presets,
  env: [],
  definitions: new URL('file:///nowhere'),
  load: () => assert.fail('a provider was loaded'),
  search: () => assert.fail('a provider was searched'),
  skill: () => assert.fail('a skill was loaded'),
});

const registry = {
  arxiv: entry('default'),
  github: entry('code'),
  osv: entry('default', 'code'),
  slack: entry(),
};

const cases: readonly [wanted: string[], selected: string[]][] = [
  [['default'], ['arxiv', 'osv']],
  [['default-providers'], ['arxiv', 'osv']],
  [['code'], ['github', 'osv']],
  [['slack'], ['slack']],
  [
    ['slack', 'code', 'github', 'slack'],
    ['github', 'osv', 'slack'],
  ],
  [['all-providers'], ['arxiv', 'github', 'osv', 'slack']],
];
for (const [wanted, selected] of cases) {
  test(`${wanted} selects ${selected}`, () => {
    assert.deepEqual(selectProviders(wanted, registry), selected);
  });
}

for (const name of ['gihtub', 'constructor', '__proto__', '']) {
  test(`${JSON.stringify(name)} stops the start with everything that is valid`, () => {
    assert.throws(
      () => selectProviders(['slack', name], registry),
      (error) => {
        assert.ok(error instanceof ConfigError);
        for (const valid of ['arxiv', 'github', 'osv', 'slack', 'default', 'all-providers']) {
          assert.match(error.message, new RegExp(`\\b${valid}\\b`));
        }
        return true;
      },
    );
  });
}
