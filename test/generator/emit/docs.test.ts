import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { diagnosticCodes } from '../../../generator/diagnostic-codes.ts';
import { emitDocs } from '../../../generator/emit/docs.ts';
import { planConfig } from '../../../generator/model/config-model.ts';

const config = planConfig({
  sections: [
    {
      title: 'Limits',
      switches: [
        {
          name: 'SERVICE_CALL_TIMEOUT',
          type: 'duration',
          default: '60s',
          minimum: '1s',
          maximum: '1h',
          description: 'Deadline of one call',
        },
        { name: 'SERVICE_MODE', type: 'enum', values: ['a', 'b|c'], description: 'How it works' },
      ],
    },
  ],
});

function pages(): ReadonlyMap<string, string> {
  const files = emitDocs({ config, surfaces: [], providers: [] });
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
    const text = documented.get(`generated/docs/errors/${code}.md`) ?? '';
    assert.match(text, new RegExp(`^# ${code}: .+\\n\\nSeverity: .+\\n\\n## Cause\\n\\n.+`, 'm'));
    assert.match(documented.get('generated/docs/errors/README.md') ?? '', new RegExp(code));
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
