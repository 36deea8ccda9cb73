import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { diagnosticCodes } from '../../../generator/diagnostics/diagnostic-codes.ts';
import { emitConfigurationPage } from '../../../generator/emit/docs/docs-configuration.ts';
import { emitErrorPages } from '../../../generator/emit/docs/docs-errors.ts';
import { emitProviderPage } from '../../../generator/emit/docs/docs-providers.ts';
import { emitSurfacePage } from '../../../generator/emit/docs/docs-surfaces.ts';
import { emitToolsPage } from '../../../generator/emit/docs/docs-tools.ts';
import { providers } from '../../../generator/kinds/providers.ts';
import { surfaces } from '../../../generator/kinds/surfaces.ts';
import { planConfig } from '../../../generator/model/house/config-model.ts';
import { planAt } from '../plan-at.ts';

const config = planConfig({
  sections: [
    {
      title: 'Limits',
      switches: [
        {
          env: 'SERVICE_CALL_TIMEOUT',
          type: 'duration',
          default: '60s',
          minimum: '1s',
          maximum: '1h',
          description: 'Deadline of one call',
        },
        { env: 'SERVICE_MODE', type: 'enum', values: ['a', 'b|c'], description: 'How it works' },
      ],
    },
  ],
});

function pages(): ReadonlyMap<string, string> {
  const files = [emitConfigurationPage(config, []), ...emitErrorPages()];
  return new Map(files.map(({ path, text }) => [path, text]));
}

test('every code that the generator mentions has an entry and a page', () => {
  const documented = pages();
  const mentioned = globSync('generator/**/*.ts').flatMap((file) =>
    (readFileSync(file, 'utf8').match(/'(?:SPEC|CONF|SURF|LOCK|P)\d{3}'/g) ?? []).map((text) =>
      text.slice(1, -1),
    ),
  );
  assert.ok(mentioned.length > 5);
  for (const code of new Set([...mentioned, ...Object.keys(diagnosticCodes)])) {
    assert.ok(Object.hasOwn(diagnosticCodes, code), `${code} has no entry`);
    const index = documented.get('generated/docs/errors/README.md') ?? '';
    const [, name = ''] =
      new RegExp(`^\\| \\[${code}\\]\\((\\w+\\.md)#${code.toLowerCase()}\\) `, 'm').exec(index) ??
      [];
    const text = documented.get(`generated/docs/errors/${name}`) ?? '';
    const entry = `^## ${code}\\n\\n.+\\. Severity: .+\\n\\n### Cause\\n\\n.+\\n\\n### What to do\\n\\n.+`;
    assert.match(text, new RegExp(entry, 'm'));
  }
});

test('the configuration page has a row per variable with default, meaning and bounds', () => {
  const text = pages().get('generated/docs/configuration.md') ?? '';
  assert.ok(
    text.includes(
      '| `SERVICE_CALL_TIMEOUT` | `1m` | Deadline of one call. A duration such as 500ms, 10s or 5m. From 1s to 1h. |',
    ),
    text,
  );
  assert.ok(text.includes('| `SERVICE_MODE` |  | How it works. One of a, b\\|c. |'), text);
});

const base = join(import.meta.dirname, '../../..');

async function pagesOf(id: string): Promise<ReadonlyMap<string, string>> {
  const { model } = await planAt(providers, base, id);
  assert.ok(model);
  const files = [
    emitConfigurationPage(config, [model]),
    emitToolsPage([], [model]),
    emitProviderPage(model),
  ];
  return new Map(files.map(({ path, text }) => [path, text]));
}

test('the page of a provider names its credential, its scopes and every tool', async () => {
  const text = (await pagesOf('github')).get('generated/docs/providers/github.md') ?? '';
  assert.match(text, /set `SERVICE_GITHUB_TOKEN` or .*`SERVICE_GITHUB_TOKEN_FILE`/);
  assert.match(text, /`SERVICE_PROVIDER=github`/);
  assert.match(text, /^\| `github_issues_create` \| .+ \| adds \| `provider:github:write` \|$/m);
  assert.match(text, /^### `github_issues_create`$/m);
  assert.match(text, /^\| `title` \| string( or integer)? \| yes \|/m);
});

test('the overview lists the tools of surfaces and providers', async () => {
  const { model } = await planAt(surfaces, base, 'platform');
  const { model: osv } = await planAt(providers, base, 'osv');
  assert.ok(model && osv);
  const { text } = emitToolsPage([model], [osv]);
  assert.match(
    text,
    /^## \[`platform`\]\(surfaces\/platform\.md\)\n\n(.*\n){2}\| `service_status` \| /m,
  );
  assert.match(
    text,
    /^## \[OSV vulnerabilities\]\(providers\/osv\.md\)\n\n(.*\n){2}\| `osv_query` /m,
  );
});

test('a surface has a page that says who may use what', async () => {
  const { model } = await planAt(surfaces, base, 'audit');
  assert.ok(model);
  const { text } = emitSurfacePage(model);
  assert.match(text, /^# Audit log\n/m);
  assert.match(text, /^### `GET \/audit\/entries\/\{seq\}`\n\n.* Needs `audit:read`\.$/m);
  assert.match(text, /^### `POST \/audit\/verify`\n\n.* At most 10 calls in 60 s per caller\.$/m);
  assert.match(text, /^\| `seq` \| path \| Sequence number of the entry, from 0\. \|$/m);
  assert.match(text, /^\| `operation` \| append, list \| yes \| {2}\| .+ \|$/m);
});

test('every row of every table has as many cells as its head, whatever vendors write', async () => {
  for (const id of ['github', 'stripe', 'wikipedia']) {
    for (const [path, text] of await pagesOf(id)) {
      let columns = 0;
      for (const line of text.split('\n')) {
        const cells = line.startsWith('|') ? line.replaceAll('\\|', '').split('|').length : 0;
        if (columns > 0 && cells > 0) assert.equal(cells, columns, `${path}: ${line}`);
        columns = cells;
      }
    }
  }
});
