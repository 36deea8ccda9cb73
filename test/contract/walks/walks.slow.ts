import assert from 'node:assert/strict';
import test, { before, after as finally_, suite } from 'node:test';
import { isObject } from '#contract/json';
import { type Dialect, things } from './dialect.ts';
import { addresses } from './dialects/addresses.ts';
import { bodies } from './dialects/bodies.ts';
import { cursors } from './dialects/cursors.ts';
import { linkLists } from './dialects/link-lists.ts';
import { offsets } from './dialects/offsets.ts';
import { pageNumbers } from './dialects/page-numbers.ts';
import { type Drafted, draftDialects } from './draft-dialects.ts';
import { walk } from './walk.ts';

const dialects: readonly Dialect[] = [
  ...cursors,
  ...offsets,
  ...pageNumbers,
  ...addresses,
  ...linkLists,
  ...bodies,
];
const ids = things.map(({ id }) => id);

suite('a list is read to its end by what a draft has guessed, each item once', () => {
  let all: Awaited<ReturnType<typeof draftDialects>>;
  before(async () => {
    all = await draftDialects(dialects);
  });
  finally_(() => all.close());

  for (const dialect of dialects) {
    test(dialect.name, async () => {
      const drafted = all.drafted.get(dialect);
      assert.ok(drafted);
      if (dialect.obstacle !== undefined) {
        assert.match(drafted.obstacles.join(), dialect.obstacle);
        return;
      }
      assert.deepEqual(drafted.obstacles, []);
      assert.deepEqual((await walk(dialect, drafted)).ids, ids);
      // The first call alone names another size.
      if (takesLimit(drafted)) assert.deepEqual((await walk(dialect, drafted, 7)).ids, ids);
    });
  }
});

function takesLimit({ tool }: Drafted): boolean {
  const { properties } = tool.input;
  return isObject(properties) && Object.hasOwn(properties, 'limit');
}
