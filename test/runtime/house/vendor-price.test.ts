import assert from 'node:assert/strict';
import test from 'node:test';
import type { Operation } from '#contract/operation';
import type { Tool } from '#contract/tool';
import { Prices } from '../../../runtime/house/prices.ts';

const price = { amount: '0.02', currency: 'USD' } as const;

function toolWith(demands: Pick<Operation, 'access' | 'price'>): Tool {
  const definition = { name: 'search', description: 'Search', annotations: {}, ...demands };
  const call = async () => ({ content: [] });
  return { definition: { ...definition, input: { type: 'object' } }, call } as unknown as Tool;
}

async function accessOf(demands: Pick<Operation, 'access' | 'price'>) {
  const tool = toolWith(demands);
  const prices = new Prices({ prices: {}, spending: {} });
  const source = { id: 'v', title: 'V', tools: [['search', async () => tool] as const] };
  const [entry] = prices.onTools(source).tools;
  return (await entry?.[1]())?.definition.access;
}

test('a price that stands with a tool demands the consent to spend, as any other does', async () => {
  assert.deepEqual(await accessOf({ access: ['mcp.tools'], price }), [
    'mcp.tools',
    'payments:spend',
  ]);
  assert.equal(await accessOf({ access: 'public', price }), 'public', 'strangers pay for it');
  assert.deepEqual(await accessOf({ access: ['mcp.tools'] }), ['mcp.tools']);
});
