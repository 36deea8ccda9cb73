import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiOperations } from '../../../generator/model/schema/api-operations.ts';
import {
  mostSwitchedOn,
  rankOperations,
} from '../../../generator/provider/operations/choose-operations.ts';
import { natureOf } from '../../../generator/provider/operations/operation-nature.ts';
import { judgeOperations } from '../../../generator/provider/operations/resource-centrality.ts';
import { documentOf } from './guess/described.ts';

function judged(paths: Readonly<Record<string, object>>) {
  const document = documentOf({ paths });
  const natures = new ApiOperations(document).all.map((each) => natureOf(document, each));
  const found = judgeOperations(document, natures);
  return new Map(found.map(({ nature, features }) => [nature.operation.path, features]));
}

const read = (tag: string, summary = tag) => ({
  get: { tags: [tag], summary, responses: { 200: { description: 'ok' } } },
});

test('what a description speaks of most is central, though others set it up once', () => {
  const found = judged({
    '/profiles': read('Profiles', 'Get profiles'),
    '/lists/{id}/profiles': read('Lists', 'Get the profiles of a list'),
    '/settings': read('Settings', 'Get settings'),
  });
  assert.deepEqual(
    ['/profiles', '/settings'].map((path) => found.get(path)?.secondary),
    [0, 1],
  );
});

test('operations whose headings come by the alphabet have no early and late ones', () => {
  const tags = ['Ants', 'Bees', 'Cats', 'Dogs', 'Emus', 'Foxes'];
  const inOrder = judged(Object.fromEntries(tags.map((tag, at) => [`/${9 - at}`, read(tag)])));
  const mixed = judged(
    Object.fromEntries(tags.toReversed().map((tag, at) => [`/${9 - at}`, read(tag)])),
  );
  assert.deepEqual(
    [...inOrder.values()].map(({ position }) => position),
    Array(6).fill(0.5),
  );
  assert.equal(mixed.get('/9')?.position, 0);
});

test('a gid refers to a thing as an id does', () => {
  const parameters = [{ name: 'task_gid', in: 'query', schema: { type: 'string' } }];
  const found = judged({
    '/tasks': read('Tasks'),
    '/notes': { get: { ...read('Notes').get, parameters } },
  });
  assert.equal(found.get('/tasks')?.references, 1);
});

test('of more reads than have a place, two places are kept for what changes something', () => {
  const of = (summary: string) => ({ summary, responses: { 200: { description: 'ok' } } });
  const ofThing = (thing: string) => ({
    [`/${thing}s`]: { get: of(`List ${thing}s`), post: of(`Create a ${thing}`) },
    [`/${thing}s/{${thing}_id}`]: { get: of(`Get a ${thing}`), put: of(`Update a ${thing}`) },
  });
  const things = [...'abcdefghijklmno'].map((letter) => ofThing(`${letter}ant`));
  const draw = (what: string) => [`/${what}/validate`, { post: of('Validate') }];
  const paths = Object.assign({}, ...things, Object.fromEntries(['x', 'y', 'z'].map(draw)));
  const document = documentOf({ paths });
  const natures = new ApiOperations(document).all.map((each) => natureOf(document, each));
  const { first } = rankOperations(document, natures, new Map());
  const writes = first.flatMap(({ reads }, at) => (reads ? [] : [at]));
  assert.ok(first.length > mostSwitchedOn + 2);
  // Six create; of three that stand for themselves two come with them, and one fills what room there is.
  assert.deepEqual(writes, [18, 19, 20, 21, 22, 23, 24, 25, first.length - 1]);
});
