import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { deedOf, obedience } from '../../../runtime/search/deeds.ts';
import { pertinence } from '../../../runtime/search/heads.ts';
import { tokensOf } from '../../../runtime/search/words.ts';

const concept = (...words: string[]) => new Map(words.map((word) => [word, 1]));

suite('what a name is about', () => {
  const about = (name: string, ...things: string[]) =>
    pertinence(
      tokensOf(name),
      ['p'],
      things.map((thing) => concept(thing)),
    );

  test('is what is spoken of first, before what is only spoken of, before all else', () => {
    const [message, room, lock] = ['p_create_room_message', 'p_create_room', 'p_create_room_lock'];
    assert.equal(about(message, 'messag', 'room'), 1);
    assert.ok(about(message, 'messag', 'room') > about(room, 'messag', 'room'));
    assert.ok(about(room, 'messag', 'room') > about(lock, 'messag', 'room'));
  });

  test('is no verb at its end or beginning, and nothing behind a preposition', () => {
    for (const name of ['boxes_get', 'get_box', 'boxes_list', 'box', 'v1_box', 'get_box_by_name'])
      assert.equal(about(name, 'box'), 1, name);
    assert.ok(about('get_box_lid_by_name', 'box') < 1);
  });

  test('is a list where there are several', () => {
    assert.ok(about('get_box_lists', 'box') < 1);
    assert.ok(about('get_boxes_list', 'box') === 1);
  });

  test('tells nothing where nothing is spoken of', () => {
    assert.equal(about('get_box'), 1);
  });
});

suite('what a name does', () => {
  test('comes first where that was asked for, and last where it is something else', () => {
    const wanted = deedOf(concept('add'));
    const of = (name: string) => obedience(tokensOf(name), wanted);
    assert.equal(of('create_box'), 1);
    assert.ok(of('create_box') > of('box'));
    assert.ok(of('box') > of('delete_box'));
    assert.ok(of('box') > of('update_box'));
  });

  test('does not matter where nobody said what is to be done', () => {
    assert.equal(obedience(tokensOf('delete_box'), deedOf(concept('refund'))), 1);
    assert.equal(deedOf(new Map([['creat', 0.4]])), undefined);
  });
});
