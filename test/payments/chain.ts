import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import {
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  parseAbi,
  parseSignature,
  publicActions,
  walletActions,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { permit2, proxies } from '../../runtime/surfaces/commerce/evm/permit.ts';
import { partsAbi } from '../../runtime/surfaces/commerce/evm/token-abi.ts';
import { commandIn } from './client-packages.ts';

/** The token that clients know on this chain; what stands at its address here is one for tests. */
export const usdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
export const chainId = 84_532;

/** Accounts that the chain has given ether to, by what they are here. */
export const keys = {
  payer: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  gas: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  merchant: '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
} as const satisfies Record<string, Hex>;

const abi = parseAbi([
  'function mint(address to, uint256 value)',
  'function balanceOf(address) view returns (uint256)',
  'function approve(address spender, uint256 value) returns (bool)',
]);

/** What stands on the chain from its start on. */
const contracts = [
  [usdc, 'test-usdc.hex'],
  [permit2, 'test-permit2.hex'],
  [proxies.permit2, 'test-exact-proxy.hex'],
  [proxies.upto, 'test-upto-proxy.hex'],
] as const;

function codeOf(file: string): Hex {
  return readFileSync(join(import.meta.dirname, 'token', file), 'utf8').trim() as Hex;
}

/** A chain of this machine, with a token that can be paid with by signature. */
export class Chain {
  readonly url: string;
  readonly #port: number;
  #child: ChildProcess;

  private constructor(port: number) {
    this.url = `http://127.0.0.1:${port}`;
    this.#port = port;
    this.#child = startNode(port);
  }

  /** @param minesAlone whether there is a block for each transaction at once; else `mineAlways` begins with it */
  static async start({ minesAlone = true } = {}): Promise<Chain> {
    const chain = new Chain(await freePort());
    await chain.#ready();
    const client = chain.client();
    await Promise.all(
      contracts.map(([address, file]) => client.setCode({ address, bytecode: codeOf(file) })),
    );
    const { address } = privateKeyToAccount(keys.payer);
    await chain.mint(address, 100_000_000n);
    if (!minesAlone) await client.setAutomine(false);
    return chain;
  }

  client() {
    return createTestClient({ mode: 'anvil', transport: http(this.url) })
      .extend(publicActions)
      .extend(walletActions);
  }

  /** Give somebody tokens. */
  async mint(to: Hex, value: bigint): Promise<void> {
    const client = this.client();
    const account = privateKeyToAccount(keys.merchant);
    const data = encodeFunctionData({ abi, functionName: 'mint', args: [to, value] });
    const hash = await client.sendTransaction({ account, chain: null, to: usdc, data });
    await client.waitForTransactionReceipt({ hash });
  }

  /** Let Permit2 move so much of somebody's tokens. */
  async approve(key: Hex, value: bigint): Promise<void> {
    const client = this.client();
    const account = privateKeyToAccount(key);
    const data = encodeFunctionData({ abi, functionName: 'approve', args: [permit2, value] });
    const hash = await client.sendTransaction({ account, chain: null, to: usdc, data });
    await client.waitForTransactionReceipt({ hash });
  }

  balanceOf(account: Hex): Promise<bigint> {
    return this.client().readContract({
      address: usdc,
      abi,
      functionName: 'balanceOf',
      args: [account],
    });
  }

  /** Send the order of somebody else for more than they do, and have blocks made again. */
  async frontRun({
    signature,
    authorization: { from, to, value, validAfter, validBefore, nonce },
  }: {
    readonly signature: Hex;
    readonly authorization: Readonly<Record<string, string>>;
  }): Promise<void> {
    const client = this.client();
    const { r, s, yParity } = parseSignature(signature);
    const data = encodeFunctionData({
      ...{ abi: partsAbi, functionName: 'transferWithAuthorization' },
      args: [
        ...([from, to] as [Hex, Hex]),
        ...([BigInt(value ?? 0), BigInt(validAfter ?? 0), BigInt(validBefore ?? 0)] as const),
        ...([nonce as Hex, yParity + 27, r, s] as const),
      ],
    });
    const account = privateKeyToAccount(keys.merchant);
    const maxPriorityFeePerGas = 50_000_000_000n;
    const maxFeePerGas = 100_000_000_000n;
    await client.sendTransaction({
      ...{ account, chain: null, to: usdc, data, gas: 300_000n },
      ...{ maxPriorityFeePerGas, maxFeePerGas },
    });
    await this.mineAlways();
  }

  /** Transactions that no block has taken. */
  async waiting(): Promise<number> {
    return (await this.client().getTxpoolStatus()).pending;
  }

  async mineAlways(): Promise<void> {
    const client = this.client();
    await client.mine({ blocks: 1 });
    await client.setAutomine(true);
  }

  /**
   * Kill the node and start it again: what is in its blocks is there, and what waited for one is lost.
   *
   * @param meanwhile runs while there is none
   */
  async crash(meanwhile: () => Promise<unknown> = async () => {}): Promise<void> {
    const client = this.client();
    await client.setAutomine(false);
    let state: Hex;
    let last: bigint;
    do {
      last = await client.getBlockNumber({ cacheTime: 0 });
      state = await client.dumpState();
    } while ((await client.getBlockNumber({ cacheTime: 0 })) !== last);
    await this.stop();
    await meanwhile();
    this.#child = startNode(this.#port);
    await this.#ready();
    await client.loadState({ state });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }

  async #ready(): Promise<void> {
    for (;;) {
      if (this.#child.exitCode !== null) throw new Error('the chain did not start');
      const id = await this.client()
        .getChainId()
        .catch(() => undefined);
      if (id === chainId) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function startNode(port: number): ChildProcess {
  const binary = commandIn('@foundry-rs/anvil-linux-amd64/bin/anvil');
  const flags = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId)];
  return spawn(binary, [...flags, '--silent'], { stdio: 'ignore' });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, 'close');
  return port;
}
