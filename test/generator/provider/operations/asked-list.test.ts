import assert from 'node:assert/strict';
import test from 'node:test';
import { answer, list, natureIn, query } from '../guess/described.ts';

const responses = answer({ type: 'object', properties: { doors: list, hasMore: {} } });
const page = query('pageOffset', 'pageSize');

for (const [told, operation, reads] of [
  ['asks for a page of a list', { parameters: page, responses }, true],
  ['takes a place alone', { parameters: query('pageOffset'), responses }, false],
  ['takes a size alone', { parameters: query('pageSize'), responses }, false],
  ['answers with one thing', { parameters: page, responses: answer({ type: 'object' }) }, false],
  ['opens a page of doors', { parameters: page, responses, summary: 'Open the doors' }, false],
  ['makes a page of doors', { parameters: page, responses, summary: 'Crea las puertas' }, false],
] as const) {
  test(`a POST that ${told} ${reads ? 'only reads' : 'may change something'}`, () => {
    assert.equal(natureIn('/doors/open/kept', operation, 'post').nature.reads, reads);
  });
}

for (const [summary, reads] of [
  ['Retorna una puerta', true],
  ['返回一扇门', true],
  ['Liefert eine Tür', true],
  ['Apri la porta', false],
] as const) {
  test(`a POST that says "${summary}" ${reads ? 'only reads' : 'may change something'}`, () => {
    assert.equal(natureIn('/doors', { summary }, 'post').nature.reads, reads);
  });
}

for (const [summary, reads] of [
  ['Consulta puertas por su color', true],
  ['Récupère les portes', true],
  ['查询所有的门', true],
  ['扉一覧取得', true],
  ['문 목록 조회', true],
  ['Pobranie listy drzwi', true],
  ['Bevragen van deuren op kleur', true],
  ['Список дверей', true],
  ['Puertas', false],
  ['查询并更新所有的门', false],
  ['扉を登録して一覧を返す', false],
] as const) {
  test(`a POST of a list that says "${summary}" ${reads ? 'only reads' : 'may change something'}`, () => {
    assert.equal(natureIn('/doors', { summary, responses }, 'post').nature.reads, reads);
    assert.equal(natureIn('/doors', { summary }, 'post').nature.reads, false);
  });
}

test('a list that is asked for by its pages is read', () => {
  const operation = { operationId: 'paginate_doors_doors_paginate_post' };
  assert.equal(natureIn('/doors/paginate', operation, 'post').nature.reads, true);
  assert.equal(
    natureIn('/doors/paginate', { summary: 'Open the doors' }, 'post').nature.reads,
    false,
  );
});

test('what adds a thing that is called like a question reads nothing', () => {
  const operation = { summary: '添加门' };
  assert.equal(natureIn('/doors/info', operation, 'post').nature.reads, false);
  assert.equal(natureIn('/doors/info', { summary: '门' }, 'post').nature.reads, true);
});

test('a framework that says of every POST that it makes something says nothing', () => {
  const made = { 201: { description: '' } };
  const reads = (operationId: string) =>
    natureIn('/doors', { operationId, responses: made }, 'post').nature.reads;
  assert.ok(reads('DoorController_findAll'));
  assert.ok(!reads('DoorController_create'));
  assert.ok(!reads('findAllDoors'));
});
