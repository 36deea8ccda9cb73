import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { encodeFunctionData, type Hex, parseAbi, parseGwei } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { chainClient } from '../../../runtime/surfaces/commerce/evm/chain-client.ts';
import { Sender } from '../../../runtime/surfaces/commerce/sending/sender.ts';
import { Senders } from '../../../runtime/surfaces/commerce/sending/senders.ts';
import { Chain, chainId, keys, usdc } from '../chain.ts';

const account = privateKeyToAccount(keys.gas);
const receiver = privateKeyToAccount(generatePrivateKey()).address;
const settings = { chainId, stuckMs: 300 };
const outgoing = {
  to: usdc,
  data: encodeFunctionData({
    abi: parseAbi(['function mint(address to, uint256 value)']),
    args: [receiver, 1n],
  }),
} as const;

/** A chain that makes blocks only when it is told to. */
async function open(t: TestContext) {
  const chain = await Chain.start({ minesAlone: false });
  t.after(() => chain.stop());
  return { chain, node: chain.client(), client: chainClient(chain.url) };
}

/** Look until something is so. */
async function until<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** What waits in the pool of the chain, by account and number. */
async function poolOf(node: ReturnType<Chain['client']>, address: Hex) {
  const { pending, queued } = await node.getTxpoolContent();
  const named = (all: typeof pending) =>
    Object.entries(all).find(([name]) => name.toLowerCase() === address.toLowerCase())?.[1] ?? {};
  return { pending: named(pending), queued: named(queued) };
}

test('what no block takes is sent again for more, and is taken once', async (t) => {
  const { chain, node, client } = await open(t);
  const sender = new Sender(client, account, settings);
  const sent = sender.send(outgoing, 0);
  const first = await until(async () => (await poolOf(node, account.address)).pending[0]);
  const raised = await until(async () => {
    const now = (await poolOf(node, account.address)).pending[0];
    return now && BigInt(now.maxFeePerGas ?? 0) > BigInt(first.maxFeePerGas ?? 0) ? now : undefined;
  });
  assert.notEqual(raised.hash, first.hash);
  await chain.mineAlways();
  const { receipt } = await sent;
  assert.equal(receipt?.status, 'success');
  assert.notEqual(receipt.transactionHash, first.hash);
  assert.equal(await chain.balanceOf(receiver), 1n);
});

test('a number that a transaction before had, and that is gone, is filled', async (t) => {
  const { chain, node, client } = await open(t);
  const nonce = await node.getTransactionCount({ address: account.address });
  const fee = parseGwei('20');
  // A process before this one has sent it, and the node has forgotten it by the time that ours waits behind.
  const lost = await node.sendTransaction({
    ...{ account, chain: null, to: receiver, value: 1n, nonce, gas: 21_000n },
    ...{ maxFeePerGas: fee, maxPriorityFeePerGas: fee },
  });
  const sender = new Sender(client, account, settings);
  const sent = sender.send(outgoing, 0);
  await until(async () => (await poolOf(node, account.address)).pending[nonce + 1]);
  await node.dropTransaction({ hash: lost });
  const filled = await until(async () => (await poolOf(node, account.address)).pending[nonce]);
  assert.equal(filled.to?.toLowerCase(), account.address.toLowerCase());
  await chain.mineAlways();
  const { receipt } = await sent;
  assert.equal(receipt?.status, 'success');
  assert.equal(await node.getBalance({ address: receiver }), 0n, 'what was lost came never');
  assert.equal(await chain.balanceOf(receiver), 1n);
});

test('several accounts share the work, each in an order of its own', async (t) => {
  const { chain, node, client } = await open(t);
  const both = [keys.gas, keys.merchant] as const;
  const senders = new Senders(client, both, { chainId });
  const before = await Promise.all(
    senders.addresses.map((address) => node.getTransactionCount({ address })),
  );
  const sent = Promise.all(Array.from({ length: 20 }, () => senders.send(outgoing, 0)));
  await until(async () => ((await chain.waiting()) === 20 ? true : undefined));
  await chain.mineAlways();
  const statuses = (await sent).map(({ receipt }) => receipt?.status);
  assert.deepEqual([...new Set(statuses)], ['success']);
  const after = await Promise.all(
    senders.addresses.map((address) => node.getTransactionCount({ address })),
  );
  assert.deepEqual(
    after.map((count, index) => count - (before[index] ?? 0)),
    [10, 10],
  );
  const named = await senders.send({ ...outgoing, from: senders.addresses[1] as Hex }, 0);
  assert.equal(named.receipt?.from.toLowerCase(), senders.addresses[1]?.toLowerCase());
  await assert.rejects(senders.send({ ...outgoing, from: receiver }, 0), /no account/);
  assert.equal(await chain.balanceOf(receiver), 21n);
});
