import assert from 'node:assert/strict';
import test from 'node:test';
import { surveyOperations } from '../../../../generator/provider/draft/draft-curation.ts';
import { answer, documentOf, list } from '../guess/described.ts';

const operation = (summary: string) => ({ summary, responses: answer({ type: 'object' }) });

/** Paths of the POSTs that are among the first tools. */
function firstWrites(posts: Readonly<Record<string, string>>): readonly string[] {
  const paths = Object.fromEntries(
    Object.entries(posts).map(([path, summary]) => [path, { post: operation(summary) }]),
  );
  const document = documentOf({
    paths: { '/things': { get: { summary: 'List things', responses: answer(list) } }, ...paths },
  });
  const source = { id: 'acme', document, origin: undefined, licence: undefined, texts: true };
  const { natures, names, ranked } = surveyOperations(source);
  return natures.flatMap(({ operation: { method, path } }, at) =>
    method === 'POST' && ranked.includes(names[at] ?? '') ? [path] : [],
  );
}

test('what writes over many things at once is none of the first tools; what makes one is', () => {
  const posts = {
    '/parcels/create': 'Create or update a parcel',
    '/parcels/batch/create': 'Create a batch of parcels',
    '/parcels/batch/upsert': 'Create or update a batch of parcels',
    '/bulk-upsert': 'Create or replace all of these',
  };
  assert.deepEqual(firstWrites(posts), ['/parcels/create', '/parcels/batch/create']);
});

test('what only changes what is there is no creation, whatever its name is', () => {
  const posts = {
    '/members/{id}/add': 'Update or modify a membership',
    '/parcels': 'Create a parcel',
  };
  assert.deepEqual(firstWrites(posts), ['/parcels']);
});
