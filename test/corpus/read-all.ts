import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ApiDocument } from '../../generator/read/document/api-document.ts';
import { walk } from '../../generator/read/document/walk.ts';
import { openapi32 } from '../../generator/read/grammar/openapi-32.ts';
import { readApi } from '../../generator/read/read-api.ts';
import { lookUp, parsePointer } from '../../generator/read/text/json-pointer.ts';
import { checkPlace } from './check-place.ts';
import { closeNetwork } from './closed-network.ts';
import type { Corpus, CorpusEntry } from './entries.ts';

/** Milliseconds after which one description hangs. */
const timeout = 600_000;

/** Tests of each description: it is read or told to be wrong, at a place, without network. */
export function readAll(corpus: Corpus): void {
  let network: ReturnType<typeof closeNetwork>;

  before(() => {
    network = closeNetwork();
    assert.ok(corpus.entries.length > 0);
  });

  after(() => {
    network.reopen();
    corpus.close();
  });

  for (const entry of corpus.entries) {
    test(`corpus: ${entry.name}`, { timeout }, async () => {
      const { document, diagnostics } = await readApi({ ...entry, base: entry.root });
      for (const diagnostic of diagnostics) checkPlace(diagnostic);
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      if (entry.isGood) assert.deepEqual(errors, []);
      if (document === undefined) assert.ok(errors.length > 0, 'no document and no error');
      else checkDocument(document, entry);
    });
  }

  test('nothing of the corpus opens a socket or changes every object', () => {
    assert.deepEqual(network.attempts, []);
    assert.deepEqual(Object.keys(Object.prototype), []);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });
}

/** Every reference is local and leads to something; every operation has a place. */
function checkDocument(document: ApiDocument, { name }: CorpusEntry): void {
  const { root } = document;
  assert.match(root.openapi, /^3\.[12]\./, name);
  walk(openapi32, root, {
    reference(node) {
      assert.ok(node.$ref.startsWith('#/'), `${name}: ${node.$ref}`);
      assert.notEqual(lookUp(root, parsePointer(node.$ref.slice(1))), undefined, node.$ref);
      return node;
    },
  });
  const [template] = Object.keys(root.paths ?? {});
  if (template === undefined) return;
  const { line, column } = document.locate(`/paths/${template.replaceAll('/', '~1')}`);
  assert.ok(line >= 1 && column >= 1);
}
