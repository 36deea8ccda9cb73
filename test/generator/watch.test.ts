import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { watchSpecs } from '../../generator/commands/watch.ts';
import { curation, put, specsFolder } from './small-specs.ts';

test('a change under specs/ is generated, until the signal comes', async (t) => {
  const base = specsFolder(t, 'alpha');
  const stop = new AbortController();
  const printed: string[] = [];
  let changed = false;
  const options = { base, check: false, watch: true, accept: true, format: 'text' } as const;
  await watchSpecs(options, {
    signal: stop.signal,
    print: (text) => {
      printed.push(text);
      if (!changed)
        put(base, 'specs/providers/alpha/curation.yaml', curation('alpha', 'alpha_list'));
      else if (text.includes('alpha_list was published as')) stop.abort();
      changed = true;
    },
  });
  assert.match(printed[0] ?? '', /^1 provider, 1 tool: \d+ files written/);
  assert.match(printed.at(-1) ?? '', /P031 alpha_list was published as alpha_things_list/);
  assert.ok(existsSync(join(base, 'generated/providers/alpha/things.ts')));
});

test('a round that fails is said, and the next change is generated all the same', async (t) => {
  const base = specsFolder(t, 'alpha');
  const elsewhere = mkdtempSync(join(tmpdir(), 'elsewhere-'));
  t.after(() => rmSync(elsewhere, { recursive: true, force: true }));
  symlinkSync(elsewhere, join(base, 'generated'));
  const stop = new AbortController();
  const printed: string[] = [];
  const options = { base, check: false, watch: true, accept: true, format: 'text' } as const;
  await watchSpecs(options, {
    signal: stop.signal,
    print: (text) => {
      printed.push(text);
      if (printed.length > 1) return stop.abort();
      rmSync(join(base, 'generated'));
      put(base, 'specs/providers/alpha/note.txt', 'changed');
    },
  });
  assert.equal(printed[0], 'generated is a symbolic link; nothing was written\n');
  assert.match(printed[1] ?? '', /^1 provider, 1 tool: \d+ files written/);
});
