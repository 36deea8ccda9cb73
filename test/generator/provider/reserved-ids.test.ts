import assert from 'node:assert/strict';
import test from 'node:test';
import { acme } from './acme.ts';
import { createWorkplace } from './workplace.ts';

const reserved: readonly [string, Readonly<Record<string, string>>, string][] = [
  ['default', {}, 'a word of SERVICE_PROVIDER'],
  [
    'research',
    { 'specs/providers/presets.yaml': 'presets:\n  research: []\n' },
    'a preset of SERVICE_PROVIDER',
  ],
  [
    'science',
    { 'specs/providers/other/curation.yaml': 'provider: other\npreset: [science]\n' },
    'a preset of SERVICE_PROVIDER',
  ],
  [
    'poetry',
    {
      'specs/providers/other/curation.yaml':
        'provider: other\r\npreset:\r\n- science\r\n\r\n# and\r\n- poetry\r\nstatus: beta\r\n',
    },
    'a preset of SERVICE_PROVIDER',
  ],
  [
    'prose',
    { 'specs/providers/other/curation.yaml': '{"provider": "other", "preset": ["prose"]}\n' },
    'a preset of SERVICE_PROVIDER',
  ],
  ['audit', { 'specs/surfaces/audit/surface.yaml': 'id: audit\n' }, 'a surface'],
  [
    'payments',
    { 'specs/surfaces/till/tools.yaml': 'tools:\n  - name: payments_quote\n    title: Quote\n' },
    'what tools of a surface begin with',
  ],
];

for (const [id, files, meaning] of reserved) {
  test(`no provider may be called ${id}, which is ${meaning}`, async (t) => {
    const { run, write, read } = createWorkplace(t);
    write('acme.yaml', acme);
    // A provider of that name that was there before is complained of where its name stands.
    if (id !== 'default') await run('add', id, '--openapi', 'acme.yaml');
    else await run('add', 'acme', '--openapi', 'acme.yaml');
    for (const [name, text] of Object.entries(files)) write(name, text);
    const { code, err } = await run('add', id, '--openapi', 'acme.yaml');
    assert.equal(code, 3);
    assert.ok(err.startsWith(`${id} is ${meaning} already: choose a provider id`), err);
    if (id === 'default') {
      const curation = read('specs/providers/acme/curation.yaml');
      write('specs/providers/default/curation.yaml', curation.replace('acme\n', 'default\n'));
      write('specs/providers/default/openapi.yaml', read('specs/providers/acme/openapi.yaml'));
    }
    const checked = await run('check', id);
    assert.equal(checked.code, 2);
    assert.match(
      checked.err,
      new RegExp(`^specs/providers/${id}/curation.yaml:3:1 error P024 "${id}" is ${meaning}`, 'm'),
    );
  });
}
