import assert from 'node:assert/strict';
import test from 'node:test';
import { OfferedList } from '../../../runtime/offer/offered-list.ts';

/** A list of numbers in words, `count` of them, and how often somebody was told of a change. */
function listOf(count: number, shown?: (item: { text: string }) => unknown) {
  const told: number[] = [];
  const list = new OfferedList<{ text: string }, { text: string }>({
    kind: 'number',
    items: (things) => [...things],
    ...(shown && { shown }),
    tell: () => told.push(list.size),
  });
  for (let each = 0; each < count; each++) list.put(`n${each}`, { text: `number ${each}` }, 'a');
  return { list, told };
}

test('a thing is found under its name alone, in the order in which it came', () => {
  const { list } = listOf(3);
  assert.deepEqual([...list.names], ['n0', 'n1', 'n2']);
  assert.equal(list.size, 3);
  assert.deepEqual(list.find('n1'), { text: 'number 1' });
  for (const name of ['', 'N1', 'constructor', '__proto__']) {
    assert.equal(list.find(name), undefined);
    assert.equal(list.has(name), false);
  }
});

test('a name that is taken stops the start, and both owners are named', () => {
  const { list } = listOf(1);
  assert.throws(() => list.put('n0', { text: '' }, 'b'), {
    name: 'StartError',
    message: 'a and b both offer the number n0',
  });
  assert.deepEqual(list.find('n0'), { text: 'number 0' });
});

test('lists may share the names that are taken', () => {
  const owners = new Map<string, string>();
  const [one, other] = ['one', 'other'].map(
    (kind) => new OfferedList<string, string>({ kind, items: (things) => [...things] }, owners),
  );
  one?.put('x', '1', 'a');
  assert.throws(() => other?.put('x', '2', 'b'), /a and b both offer the other x/);
});

test('pages of 200 hold every item once, and a cursor leads to the same object each time', async () => {
  const { list } = listOf(450);
  const sizes: number[] = [];
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = (await list.page(cursor)) ?? assert.fail('the cursor leads nowhere');
    assert.equal(await list.page(cursor), page);
    sizes.push(page.items.length);
    seen.push(...page.items.map(({ text }) => text));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  assert.deepEqual(sizes, [200, 200, 50]);
  assert.equal(new Set(seen).size, 450);
});

test('after a change clients are told, and the cursors of the old list lead nowhere', async () => {
  const { list, told } = listOf(201);
  const before = await list.page();
  list.put('more', { text: 'one more' }, 'a');
  assert.equal((await list.page())?.items.length, 200);
  assert.deepEqual(told, []);
  list.changed();
  assert.deepEqual(told, [202]);
  assert.equal(await list.page(before?.nextCursor), undefined);
  const after = await list.page();
  assert.notEqual(after?.listHash, before?.listHash);
  assert.equal((await list.page(after?.nextCursor))?.items.length, 2);
});

test('the hash covers what a list shows, and nothing else', async () => {
  const hashOf = async (count: number, shown?: (item: { text: string }) => unknown) =>
    (await listOf(count, shown).list.page())?.listHash;
  assert.equal(await hashOf(2), await hashOf(2));
  assert.notEqual(await hashOf(2), await hashOf(3));
  assert.notEqual(await hashOf(2), await hashOf(2, () => 'nothing'));
});
