import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiOperations } from '../../../../generator/model/schema/api-operations.ts';
import { rankOperations } from '../../../../generator/provider/operations/choose-operations.ts';
import { natureOf } from '../../../../generator/provider/operations/operation-nature.ts';
import { documentOf } from '../guess/described.ts';

const read = (type: 'array' | 'object') => ({
  get: { responses: { 200: { content: { 'application/json': { schema: { type } } } } } },
});
const thing = (path: string) => ({
  [path]: read('array'),
  [`${path}/{id}`]: read('object'),
  [`${path}/{id}/latest`]: read('object'),
});

function ranked(...paths: readonly string[]): string[] {
  const document = documentOf({ paths: Object.assign({}, ...paths.map(thing)) });
  const natures = new ApiOperations(document).all.map((each) => natureOf(document, each));
  const { first } = rankOperations(document, natures, new Map());
  return first.map(({ operation }) => operation.path);
}

const nested = ['/depots/{depot}/parcels', '/depots/{depot}/ramps'];

test('what is like something that was taken comes later, and of equals the first is taken first', () => {
  assert.deepEqual(ranked('/parcels', '/pallets', ...nested), [
    '/parcels',
    '/pallets',
    '/depots/{depot}/ramps',
    '/parcels/{id}',
    '/pallets/{id}',
    '/depots/{depot}/ramps/{id}',
    '/depots/{depot}/parcels',
    '/depots/{depot}/parcels/{id}',
    '/parcels/{id}/latest',
    '/pallets/{id}/latest',
    '/depots/{depot}/parcels/{id}/latest',
    '/depots/{depot}/ramps/{id}/latest',
  ]);
  assert.deepEqual(ranked('/parcels', '/pallets', ...nested, '/ramps', '/depots'), [
    '/depots',
    '/parcels',
    '/pallets',
    '/ramps',
    '/depots/{id}',
    '/parcels/{id}',
    '/pallets/{id}',
    '/ramps/{id}',
    '/depots/{depot}/parcels',
    '/depots/{depot}/ramps',
    '/depots/{depot}/parcels/{id}',
    '/depots/{depot}/ramps/{id}',
    '/depots/{id}/latest',
    '/parcels/{id}/latest',
    '/pallets/{id}/latest',
    '/ramps/{id}/latest',
    '/depots/{depot}/parcels/{id}/latest',
    '/depots/{depot}/ramps/{id}/latest',
  ]);
});
