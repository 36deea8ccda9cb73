import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { PrivateKeyAccount } from 'viem/accounts';
import { privateKeyToAccount } from 'viem/accounts';
import { type Served, serve } from '../runtime/cli/served.ts';
import { temporaryDirectory } from '../runtime/store/temporary-directory.ts';
import { Chain, chainId, keys, usdc } from './chain.ts';

export const payer = privateKeyToAccount(keys.payer);
export const merchant = privateKeyToAccount(keys.merchant);

/** A server that sells something, on a chain on which everybody has tokens. */
export interface Shop extends Served {
  readonly chain: Chain;
  readonly base: string;
  readonly dataDir: string;
  /** Its settings, for another process of the same shop. */
  readonly env: Readonly<Record<string, string>>;
}

interface ShopOptions {
  readonly policy?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** One of its own without it. */
  readonly chain?: Chain;
}

export async function openShop(
  t: TestContext,
  { policy = '', env: more = {}, chain: given }: ShopOptions = {},
): Promise<Shop> {
  const chain = given ?? (await Chain.start());
  if (given === undefined) t.after(() => chain.stop());
  const dataDir = temporaryDirectory(t);
  const file = join(dataDir, 'policy.yaml');
  writeFileSync(file, policy);
  const env = {
    SERVICE_DATA_DIR: join(dataDir, 'data'),
    SERVICE_POLICY_FILE: file,
    // However busy this machine is: a shop that sheds load is another test.
    SERVICE_OVERLOAD_WAIT: '1m',
    SERVICE_X402_PAY_TO: merchant.address,
    SERVICE_X402_RPC_URL: chain.url,
    SERVICE_X402_PRIVATE_KEY: keys.gas,
    SERVICE_X402_REFUND_PRIVATE_KEY: keys.merchant,
    ...more,
  };
  const served = await serve(t, env);
  return { ...served, chain, env, dataDir, base: served.url.origin };
}

/** What a signature says; what is left out is as it should be. */
export interface Signed {
  readonly amount?: string;
  readonly to?: string;
  readonly validAfter?: number;
  readonly validBefore?: number;
  readonly nonce?: `0x${string}`;
  readonly account?: PrivateKeyAccount;
}

/** A payment of x402 as its header carries it, written by hand. */
export async function signedPayment(
  base: string,
  path: string,
  signed: Signed = {},
): Promise<string> {
  const required = await fetch(`${base}${path}`);
  const terms = unwrapped(required.headers.get('payment-required'));
  const [accepted] = terms['accepts'] as readonly Record<string, unknown>[];
  return signedFor(accepted, signed);
}

/** The same for what a server asks for. */
export async function signedFor(
  accepted: Readonly<Record<string, unknown>> | undefined,
  { account = payer, ...signed }: Signed = {},
): Promise<string> {
  const random = crypto.getRandomValues(new Uint8Array(32));
  const authorization = {
    from: account.address,
    to: signed.to ?? String(accepted?.['payTo']),
    value: signed.amount ?? String(accepted?.['amount']),
    validAfter: String(signed.validAfter ?? 0),
    validBefore: String(signed.validBefore ?? Math.floor(Date.now() / 1000) + 300),
    nonce: signed.nonce ?? (`0x${Buffer.from(random).toString('hex')}` as const),
  };
  const signature = await account.signTypedData({
    domain: { name: 'USDC', version: '2', chainId, verifyingContract: usdc },
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message: authorization as never,
  });
  return wrapped({ x402Version: 2, accepted, payload: { signature, authorization } });
}

export function wrapped(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

export function unwrapped(header: string | null): Record<string, unknown> {
  return JSON.parse(Buffer.from(header ?? '', 'base64').toString());
}

/** Pay for a path with what `signedPayment` gives. */
export function pay(base: string, path: string, payment: string): Promise<Response> {
  return fetch(`${base}${path}`, { headers: { 'payment-signature': payment } });
}
