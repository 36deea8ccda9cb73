import assert from 'node:assert/strict';
import test from 'node:test';
import { asideReason } from '../../../../../generator/provider/operations/set-aside.ts';
import { answer, list, natureIn } from '../../guess/described.ts';

const page = 'it gives the files of a page that people look at';
const unmade = 'its text says that it is not implemented';

for (const [path, operation, reason] of [
  ['/ui/{path}', { responses: answer({}) }, page],
  ['/static/{file_path}', { responses: { 200: { description: 'ok' } } }, page],
  ['/ui/{path}', { responses: answer(list) }, undefined],
  ['/ui/{id}', { responses: answer({}) }, undefined],
  ['/files/{path}', { responses: answer({}) }, undefined],
  ['/things', { summary: 'Read a thing', description: 'NOT IMPLEMENTED', responses: {} }, unmade],
  ['/things', { summary: 'Read a thing. Not yet implemented.', responses: {} }, unmade],
  ['/things', { summary: 'List calls that are not implemented', responses: {} }, undefined],
  ['/things', { description: '501: not implemented for old things', responses: {} }, undefined],
] as const) {
  test(`GET ${path} ${JSON.stringify(operation).slice(0, 90)} is ${reason === undefined ? 'of use' : 'of no use'}`, () => {
    const { document, nature } = natureIn(path, operation);
    assert.equal(asideReason(document, nature), reason);
  });
}
