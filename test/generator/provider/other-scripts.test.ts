import assert from 'node:assert/strict';
import test from 'node:test';
import { parse } from 'yaml';
import { createWorkplace } from './workplace.ts';

const object = (properties: object) => ({
  'application/json': { schema: { type: 'object', properties } },
});
const responses = { 200: { description: 'ok', content: object({ id: { type: 'string' } }) } };
const parameter = (name: string, more: object = {}) => ({
  ...{ name, in: 'query', schema: { type: 'string' } },
  ...more,
});

const root = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1', license: { name: 'MIT' } },
  servers: [{ url: 'https://api.example.com' }],
  paths: {
    '/заказы/{номер}': {
      get: {
        operationId: 'получитьЗаказ',
        tags: ['Заказы', 'Orders'],
        parameters: [
          parameter('номер', { in: 'path', required: true }),
          parameter('город', { description: 'City name' }),
          parameter('分页'),
          parameter('نوع', { schema: { type: 'string', title: 'Kind' } }),
          parameter('Größe'),
          parameter('😀'),
          parameter('ids[]'),
        ],
        responses,
      },
    },
    '/orders': { get: { operationId: '订单列表', responses } },
    '/заказы': {
      post: {
        summary: 'Create an order',
        requestBody: { required: true, content: object({ имя: { type: 'string' } }) },
        responses,
      },
    },
    '/café/%C3%A9v%C3%A9nement': { get: { responses } },
    '/城': { get: { responses } },
  },
};

test('names in other scripts become words that can be spelled, and the own name is told', async (t) => {
  const workplace = createWorkplace(t);
  workplace.write('shop.json', JSON.stringify(root));
  const { code, err } = await workplace.run('add', 'shop', '--openapi', 'shop.json');
  assert.equal(code, 0, err);
  const text = workplace.read('specs/providers/shop/curation.yaml');
  const on = text.replaceAll(/^ {2}# ( - | {2,3})(?=\S)/gm, '  $1');
  const names = [...on.matchAll(/- name: (\S+)/g)].map(([, name]) => name);
  assert.deepEqual(names.toSorted(), [
    'shop_cafe_evenement_get',
    'shop_create_order',
    'shop_get',
    'shop_orders_get',
    'shop_orders_get_orders',
  ]);
  const { operations } = parse(text);
  const read = operations.find((each: { resource: string; params?: object }) => each.params);
  assert.deepEqual(read.params.rename, {
    ...{ номер: 'path_1', город: 'city_name', 分页: 'query_2', نوع: 'kind' },
    ...{ Größe: 'Grosse', '😀': 'query_5', 'ids[]': 'ids' },
  });
  assert.equal(read.resource, 'orders');
  const { code: made, err: why } = await workplace.run('check', 'shop');
  assert.equal(made, 0, why);
});

test('short texts in dense letters keep no operation off', async (t) => {
  const workplace = createWorkplace(t);
  const paths = {
    '/articles': { get: { summary: '文章列表', responses } },
    '/articles/{slug}': {
      get: {
        summary: '获取文章详情',
        parameters: [parameter('slug', { in: 'path', required: true })],
        responses,
      },
    },
  };
  workplace.write('api.json', JSON.stringify({ ...root, paths }));
  const { out } = await workplace.run('add', 'shop', '--openapi', 'api.json');
  assert.match(out, /2 of 2 operations are switched on/);
  const { code, err } = await workplace.run('check', 'shop');
  assert.deepEqual([code, err], [0, '']);
});
