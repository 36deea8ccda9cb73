import assert from 'node:assert/strict';
import test from 'node:test';
import { natureIn } from './described.ts';

for (const [summary, method, reads, id] of [
  ['Get notifications and mark them as read', 'get', false],
  ['Get a batch and remove it', 'get', false],
  ['Poll and acknowledge jobs', 'get', false],
  ['Get the next number. Each call increments the counter.', 'get', false],
  ['Get a new token. The old one is revoked.', 'get', false],
  ['Place the order', 'get', false],
  ['Toggle the light', 'get', false],
  ['Vote for an item', 'get', false],
  ['Pay the bill', 'get', false],
  ['Find and buy the cheapest rate', 'post', false, 'checkout'],
  ['Search index rebuild', 'post', false, 'searchReindex'],
  ['Search a document', 'post', true, 'search'],
  ['List all snippets, or create a new snippet.', 'get', true],
  ['Get the start and end dates', 'get', true],
  ['List open and closed issues', 'get', true],
  ['Place details', 'get', true],
  ['Vote count', 'get', true],
  ['Order status', 'get', true],
  ['Charge history', 'get', true],
  ['Get messages that are marked as read', 'get', true],
] as const) {
  test(`${method} "${summary}" ${reads ? 'only reads' : 'may change something'}`, () => {
    const operation = { summary, ...(id && { operationId: id }) };
    assert.equal(natureIn('/x', operation, method).nature.reads, reads);
  });
}

for (const summary of [
  'Löscht alle Einträge',
  'Supprimer un compte',
  'Eliminar un usuario',
  '删除用户',
  'ユーザーを削除する',
  '사용자 삭제',
  'Удалить заказ',
]) {
  test(`"${summary}" takes something away`, () => {
    assert.equal(natureIn('/x', { summary }, 'post').nature.destroys, true);
    assert.equal(natureIn('/x', { summary }, 'get').nature.reads, false);
  });
}

for (const summary of [
  '查询已删除的用户',
  '削除済みユーザーの一覧',
  '삭제된 사용자 목록',
  'Gelöschte Einträge',
]) {
  test(`"${summary}" speaks of what was taken away`, () => {
    assert.equal(natureIn('/x', { summary }, 'get').nature.reads, true);
  });
}
