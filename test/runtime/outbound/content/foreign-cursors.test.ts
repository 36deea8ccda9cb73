import assert from 'node:assert/strict';
import test from 'node:test';
import {
  cursorAfter,
  cursorInside,
  readPosition,
  unmarked,
} from '../../../../runtime/outbound/content/page-position.ts';

const tool = { paging: { style: 'cursor' }, input: {} } as unknown as Parameters<
  typeof readPosition
>[1];

for (const theirs of ['skip=2;x', 'each=7;x', 'was=abcdefgh;x', 'as=x', 'as=skip=2;x', 'plain']) {
  test(`a cursor of a vendor comes back as it was: ${theirs}`, () => {
    const marked = unmarked(theirs);
    const position = readPosition({ cursor: marked }, tool);
    assert.equal(position.args['cursor'], theirs);
    assert.equal(position.skip, 0);
    const inside = readPosition({ cursor: cursorInside(position, 3, undefined) }, tool);
    assert.deepEqual([inside.cursor, inside.skip], [theirs, 3]);
    const after = readPosition({ cursor: cursorAfter('ABCDEFGH', marked) }, tool);
    assert.deepEqual([after.cursor, after.before], [theirs, 'ABCDEFGH']);
  });
}
