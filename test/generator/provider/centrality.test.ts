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

test('what stands below a resource is as central as what can be done with that', () => {
  const found = judged({
    '/talks': read('Talks', 'List talks'),
    '/talks/{id}': read('Talks', 'Get a talk'),
    '/talks/{id}/messages': read('Talks', 'List messages'),
    '/seals': read('Seals', 'List seals'),
    '/seals/{id}/prints': read('Seals', 'List prints'),
  });
  const above = (path: string) => found.get(path)?.above ?? 0;
  assert.ok(above('/talks/{id}/messages') > above('/seals/{id}/prints'));
  assert.equal(above('/talks/{id}'), 0);
});

test('what changes something of a person gains nothing by the person', () => {
  const makes = (summary: string) => ({ post: { summary, responses: {} } });
  const found = judged({
    '/users': read('Users', 'List users'),
    '/users/{id}': read('Users', 'Get a user'),
    '/users/{id}/factors': makes('Enrol a factor'),
    '/users/{id}/logs': read('Users', 'List logs'),
    '/talks/{id}': read('Talks', 'Get a talk'),
    '/talks/{id}/notes': makes('Add a note'),
  });
  const above = (path: string) => found.get(path)?.above ?? 0;
  assert.equal(above('/users/{id}/factors'), 0);
  assert.ok(above('/users/{id}/logs') > 0 && above('/talks/{id}/notes') > 0);
});

test('what can be narrowed in many ways, and what much is sent to, is central', () => {
  const parameters = ['from', 'until', 'owner'].map((name) => ({ name, in: 'query', schema: {} }));
  const properties = { title: {}, text: {}, place: {} };
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  const found = judged({
    '/events': { get: { ...read('Events').get, parameters } },
    '/colours': read('Colours'),
    '/notes': { post: { summary: 'Add a note', requestBody: { content }, responses: {} } },
  });
  assert.deepEqual(
    ['/events', '/colours', '/notes'].map((path) => found.get(path)?.filters),
    [2, 0, 0],
  );
  assert.deepEqual(
    ['/events', '/notes'].map((path) => found.get(path)?.sent),
    [0, 2],
  );
});

test('a member of a thing, and what it belongs to, is read behind the thing and its parts', () => {
  const found = judged({
    '/boards': read('Boards'),
    '/boards/{id}': read('Boards'),
    '/boards/{id}/{field}': read('Boards'),
    '/boards/{id}/cards': read('Boards'),
    '/boards/{id}/cards/{card}': read('Boards'),
    '/cards/{id}': read('Cards'),
    '/cards/{id}/board': read('Cards'),
    '/cards/{id}/summary': read('Cards'),
    // Both parts name one of them: nothing else stands below the first.
    '/shelves/{owner}': read('Shelves'),
    '/shelves/{owner}/{name}': read('Shelves'),
    '/shelves/{owner}/{name}/books': read('Shelves'),
  });
  const lesser = [...found].flatMap(([path, features]) => (features.lesser === 1 ? [path] : []));
  assert.deepEqual(lesser, ['/boards/{id}/{field}', '/cards/{id}/board']);
});

test('what adds to one thing what is made elsewhere comes behind what makes it', () => {
  const make = (summary: string) => ({ post: { summary, responses: {} } });
  const found = judged({
    '/users': make('Create a user'),
    '/apps/{id}/users': make('Assign a user'),
    '/apps/{id}/notes': make('Add a note'),
  });
  const lesser = [...found].flatMap(([path, features]) => (features.lesser === 1 ? [path] : []));
  assert.deepEqual(lesser, ['/apps/{id}/users']);
});

test('of many kinds of things several are central, though others set them up once', () => {
  const things = ['issue', 'rock', 'bird', 'fern', 'moss', 'pond', 'lake', 'hill', 'path', 'gate'];
  const found = judged(
    Object.fromEntries(
      [...things, 'label'].flatMap((thing) => [
        [`/${thing}s`, read(thing, `List ${thing}s`)],
        ...(thing === 'label' ? [] : [[`/${thing}s/{id}`, read(thing, `Get the ${thing}`)]]),
        ...(thing === 'rock'
          ? [[`/${thing}s/{id}/pit`, read(thing, `The pit of the ${thing}`)]]
          : []),
      ]),
    ),
  );
  assert.deepEqual(
    ['/issues', '/labels'].map((path) => found.get(path)?.secondary),
    [0, 1],
  );
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

test('what others have parts of is a part only below them', () => {
  const found = judged({
    '/songs': read('Songs', 'List songs'),
    '/albums/{id}/songs': read('Albums', 'List the songs of an album'),
    '/shelves/{id}/songs': read('Shelves', 'List the songs of a shelf'),
  });
  assert.equal(found.get('/songs')?.aspect, 0);
  assert.ok((found.get('/albums/{id}/songs')?.aspect ?? 0) > 1);
});

test('a name of more words is about less, an answer of more members about more', () => {
  const answers = (...names: string[]) => {
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    const schema = { type: 'array', items: { type: 'object', properties } };
    return { get: { responses: { 200: { content: { 'application/json': { schema } } } } } };
  };
  const found = judged({
    '/bills': answers('id', 'sum', 'due'),
    '/bill-templates': answers('id'),
  });
  assert.equal(found.get('/bills')?.compound, 0);
  assert.equal(found.get('/bill-templates')?.compound, 1);
  assert.equal(found.get('/bills')?.answered, 2);
  assert.equal(found.get('/bill-templates')?.answered, 1);
});

test('a search in things of one kind is as central as they are', () => {
  const found = judged({
    '/bricks': read('Bricks', 'List bricks'),
    '/bricks/{id}': read('Bricks', 'Get a brick'),
    '/search/bricks': read('Bricks', 'Search bricks'),
    '/search': read('Search', 'Search everything'),
  });
  assert.equal(found.get('/search/bricks')?.operations, found.get('/bricks')?.operations);
  assert.equal(found.get('/search')?.searchesAll, 1);
});

test('what is made stands not alone where what finds it is called so', () => {
  const made = { operationId: 'createBrick', responses: {} };
  const found = (operationId: string) =>
    judged({ '/bricks': { get: { ...read('Bricks').get, operationId }, post: made } });
  assert.equal(found('findAllBricks').get('/bricks')?.alone, 0);
  assert.equal(judged({ '/bricks': { post: made } }).get('/bricks')?.alone, 1);
});

test('what people say to each other is read and written early, of all places in the most central one', () => {
  const found = judged({
    '/bricks': read('Bricks', 'List bricks'),
    '/bricks/{id}': read('Bricks', 'Get a brick'),
    '/bricks/{id}/comments': read('Bricks', 'List comments'),
    '/bricks/{id}/comments/{comment}': read('Bricks', 'Get a comment'),
    '/bricks/{id}/colours': read('Bricks', 'List colours'),
    '/seals/{id}/comments': read('Seals', 'List comments'),
    '/comments': { post: { summary: 'Write a comment', responses: {} } },
  });
  const said = [...found].flatMap(([path, { spoken }]) => (spoken > 0 ? [path] : []));
  assert.deepEqual(said, ['/bricks/{id}/comments', '/comments']);
});
