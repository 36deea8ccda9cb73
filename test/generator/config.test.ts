import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { formatDiagnostics } from '../../generator/diagnostics/format-diagnostics.ts';
import { type ConfigFile, planConfig } from '../../generator/model/house/config-model.ts';
import { checkConfig } from '../../generator/model/house/config-rules.ts';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { readChecked } from '../../generator/read/text/checked-yaml.ts';
import { put, specsFolder } from './small-specs.ts';

function problemsOf(t: TestContext, text: string): string {
  const base = mkdtempSync(join(tmpdir(), 'config-'));
  t.after(() => rmSync(base, { recursive: true }));
  writeFileSync(join(base, 'config.yaml'), text);
  const { file, content, diagnostics } = readChecked<ConfigFile>(
    join(base, 'config.yaml'),
    base,
    'config',
  );
  const found = content ? checkConfig(planConfig(content), file) : [];
  return formatDiagnostics([...diagnostics, ...found], 'text');
}

const oneSwitch = (lines: string) => `sections:
  - title: Limits
    switches:
      - env: SERVICE_RATE
        description: Calls in a second
${lines.replace(/^/gm, '        ')}
`;

test('the configuration of this server is described without a problem', () => {
  const base = join(import.meta.dirname, '../..');
  const path = join(base, 'specs/config.yaml');
  const { file, content, diagnostics } = readChecked<ConfigFile>(path, base, 'config');
  assert.ok(content);
  assert.deepEqual([...diagnostics, ...checkConfig(planConfig(content), file)], []);
});

test('a switch that is listed twice, by name or by property, is an error', (t) => {
  const text = `sections:
  - title: Limits
    switches:
      - { env: SERVICE_RATE, type: integer, description: Calls in a second }
      - { env: SERVICE_RATE, type: integer, description: Calls in a second }
      - { env: RATE, type: integer, description: Calls in a second }
`;
  assert.equal(
    problemsOf(t, text),
    `config.yaml:5:11 error CONF001 SERVICE_RATE is already listed
config.yaml:6:11 error CONF001 RATE and SERVICE_RATE both become the property "rate"
`,
  );
});

test('a default outside of what the switch itself allows is an error', (t) => {
  assert.equal(
    problemsOf(t, oneSwitch('type: duration\ndefault: 2h\nmaximum: 1h')),
    'config.yaml:7:9 error CONF002 the default of SERVICE_RATE is "2h", but a duration, at most 1h is expected\n',
  );
});

test('a field that does not belong to the type of the switch is an error', (t) => {
  assert.match(
    problemsOf(t, oneSwitch('type: boolean\nminimum: 1')),
    /^config\.yaml:7:9 error SPEC005 /,
  );
  assert.match(
    problemsOf(t, oneSwitch('type: integer\nmost: 1')),
    /^config\.yaml:7:9 error SPEC005 unknown key "most"/,
  );
});

test('switches of a surface join those of the process, and no two files may list the same', async (t) => {
  const base = specsFolder(t);
  put(base, 'specs/config.yaml', oneSwitch('type: integer'));
  const surface = (env: string) => `title: Things
switch: SERVICE_ENABLE_THINGS
settings:
  most: { env: ${env}, type: integer, description: Things in a list }
`;
  put(base, 'specs/surfaces/things/config.yaml', surface('SERVICE_THINGS'));
  await generate({ base });
  const code = readFileSync(join(base, 'generated/config.ts'), 'utf8');
  assert.match(code, /readonly rate: number \| undefined;.*readonly things: ThingsConfig;/s);
  const slice = readFileSync(join(base, 'generated/surfaces/things/config.ts'), 'utf8');
  assert.match(slice, /readonly enabled: boolean;.*readonly most: number \| undefined;/s);
  const page = readFileSync(join(base, 'generated/docs/configuration.md'), 'utf8');
  assert.match(page, /`SERVICE_RATE`.*`SERVICE_ENABLE_THINGS`.*`SERVICE_THINGS`/s);
  put(base, 'specs/surfaces/things/config.yaml', surface('SERVICE_RATE'));
  const { diagnostics } = await generate({ base });
  assert.deepEqual(
    diagnostics.map(({ code, file, line, message }) => `${code} ${file}:${line} ${message}`),
    [
      'CONF001 specs/surfaces/things/config.yaml:4 SERVICE_RATE is already listed in specs/config.yaml',
    ],
  );
});
