import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { parse } from 'yaml';
import { readSettings } from '../../../runtime/house/settings.ts';
import { hosted } from '../cli/hosted.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';

interface Mistake {
  readonly title: string;
  readonly env: Readonly<Record<string, string | number>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly stops?: readonly string[];
  readonly says?: string;
  readonly warns?: string;
  readonly secret?: string;
}

const mistakes: readonly Mistake[] = parse(
  readFileSync(join(import.meta.dirname, 'mistakes.yaml'), 'utf8'),
  { schema: 'failsafe' },
);

suite('what operators get wrong', () => {
  for (const mistake of mistakes) {
    test(mistake.title, async (t) => {
      const env = environmentOf(mistake, temporaryDirectory(t));
      if (mistake.stops === undefined) await warnsOnce(mistake, env);
      else await stops(mistake, env);
    });
  }

  test('the table has what was once found to go through, and more', () => {
    assert.ok(mistakes.length >= 104, `found ${mistakes.length}`);
    assert.ok(
      mistakes.every(({ stops, warns }) => (stops === undefined) !== (warns === undefined)),
    );
  });
});

function environmentOf({ env, files = {} }: Mistake, dir: string): Record<string, string> {
  const folder = join(dir, 'given');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const filled = Object.entries(env).map(([name, value]) => [
    name,
    value.toString().replaceAll('{dir}', folder),
  ]);
  return { SERVICE_DATA_DIR: join(dir, 'data'), ...Object.fromEntries(filled) };
}

/** It goes the whole way of a start, up to where something would be made. */
async function stops({ stops = [], says = '', secret }: Mistake, env: Record<string, string>) {
  const { code, stdout, stderr } = await hosted(['call', 'service_status'], env);
  assert.equal(code, 78, stdout + stderr);
  assert.equal(stdout, '');
  const named = [...stderr.matchAll(/^ {2}(\w+): expected /gm)].map(([, name]) => name);
  assert.deepEqual(named.toSorted(), stops.toSorted(), stderr);
  assert.match(stderr, /^agent-tool-server: the configuration has /);
  assert.ok(stderr.includes(says), stderr);
  assert.doesNotMatch(stderr, /\n +at /);
  if (secret !== undefined) assert.ok(!stderr.includes(secret), stderr);
}

async function warnsOnce({ warns = '', secret }: Mistake, env: Record<string, string>) {
  const { warnings } = await readSettings(env);
  assert.equal(warnings.length, 1, warnings.join('\n'));
  const [warning = ''] = warnings;
  assert.ok(warning.includes(warns), warning);
  if (secret !== undefined) assert.ok(!warning.includes(secret), warning);
}
