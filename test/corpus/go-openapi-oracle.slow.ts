import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import test from 'node:test';
import { parse } from 'yaml';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.ts';
import { readApi } from '../../generator/read/read-api.ts';
import { escapeStep } from '../../generator/read/text/json-pointer.ts';
import { corpusFolder, openCorpus } from './entries.ts';

/** What the validator of go-openapi says of one of its fixtures. */
interface Verdict {
  readonly expectedLoadError: boolean;
  readonly expectedValid: boolean;
  readonly expectedMessages: readonly { readonly message: string }[] | null;
}

/** Verdicts that the reader does not share, and why. */
const disputed: Readonly<Record<string, string>> = {
  'fixture-1238.yaml':
    'items beside "type: object" are allowed by the official schema and stand in the description of Slack: a warning',
  'fixture-invalid-example-property.yaml':
    'a response that is empty is no Response Object for the official schema either',
  'fixture-valid-example-property.yaml':
    'a response that is empty is no Response Object for the official schema either',
};

/** Places that the text of a message names: `paths./a/b.get.parameters...`, `definitions.Thing...`. */
function namedPlace(message: string): string | undefined {
  const path = /^"?paths\.(\/[^ "]*?)\.(?:get|post|put|delete|patch)\b/.exec(message)?.[1];
  if (path !== undefined) return `/paths/${escapeStep(path)}`;
  const [, section, name] = /^"?(definitions|parameters)\.([\w-]+)/.exec(message) ?? [];
  return section === undefined ? undefined : `/${section}/${name}`;
}

if (corpusFolder !== undefined) {
  const folder = join(corpusFolder, 'go-openapi-validation');
  const verdicts = parse(readFileSync(join(folder, 'expected_messages.yaml'), 'utf8'));
  const corpus = openCorpus();
  const fixtures = corpus.entries.filter(({ name }) => name.startsWith('go-openapi-validation/'));
  corpus.close();

  for (const { name, file, root } of fixtures) {
    const verdict: Verdict | undefined = verdicts[basename(file)];
    if (verdict === undefined) continue;
    test(`go-openapi: ${name}`, async () => {
      const { diagnostics } = await readApi({ file, root, base: root });
      check(basename(file), verdict, diagnostics);
    });
  }

  test('go-openapi: defaults that do not fit are errors, examples that do not fit warnings', async () => {
    for (const { name, file, root } of fixtures) {
      const [, folderName, kind] = /\/(default|example)\/(valid|invalid)-/.exec(name) ?? [];
      if (folderName === undefined) continue;
      const { diagnostics } = await readApi({ file, root, base: root });
      const severity = folderName === 'default' ? 'error' : 'warning';
      const found = diagnostics.filter((each) => each.code === 'SPEC024');
      // The official schema forbids the examples and patternProperties of some of the fixtures.
      const isForbidden = diagnostics.some((each) => each.code === 'SPEC005');
      if (isForbidden) continue;
      assert.equal(found.length > 0, kind === 'invalid', name);
      assert.ok(found.some((each) => each.severity === severity) || kind === 'valid', name);
    }
  });
}

function check(name: string, verdict: Verdict, diagnostics: readonly Diagnostic[]): void {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const isValid = verdict.expectedValid && !verdict.expectedLoadError;
  const agrees = (errors.length === 0) === isValid;
  assert.equal(agrees, disputed[name] === undefined, JSON.stringify(errors, null, 2));
  if (isValid || verdict.expectedLoadError) return;
  for (const { message } of verdict.expectedMessages ?? []) {
    const place = namedPlace(message);
    if (place === undefined) continue;
    assert.ok(
      diagnostics.some(({ pointer }) => pointer.startsWith(place)),
      `nothing is said about ${place}: ${message}`,
    );
  }
}
