import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';
import { networkId, Processor, secretKey } from '../processor/processor.ts';
import { webhookSecret } from '../processor/webhook.ts';

/** What a server needs that is paid by card, and the processor that pays it. */
export interface CardShop {
  readonly processor: Processor;
  readonly env: Readonly<Record<string, string>>;
}

/** Everything that costs something here, at a price that cards take. */
const policy = `prices:
  GET /api: { amount: '1.25', currency: USD, rails: [card] }
  GET /api/v1: { amount: '0.50', currency: USD, card: { amount: '75', currency: JPY } }
  tool:service_status: { amount: '2', currency: USD, rails: [card] }
`;

export async function cardShop(
  t: Pick<TestContext, 'after'>,
  prices: string = policy,
): Promise<CardShop> {
  const processor = await Processor.start();
  t.after(() => processor.stop());
  const folder = temporaryDirectory(t as TestContext);
  const file = join(folder, 'policy.yaml');
  writeFileSync(file, prices);
  return {
    processor,
    env: {
      SERVICE_POLICY_FILE: file,
      SERVICE_CARD_SECRET_KEY: secretKey,
      SERVICE_CARD_NETWORK_ID: networkId,
      SERVICE_CARD_API_URL: processor.url,
      SERVICE_CARD_WEBHOOK_SECRET: webhookSecret,
    },
  };
}

/** A challenge of MPP for a card, as a client reads it. */
export function cardChallenge(headers: Headers): Readonly<Record<string, string>> {
  const offered = (headers.get('www-authenticate') ?? '').split(/, (?=Payment )/);
  const offer = offered.find((each) => each.includes('method="stripe"')) ?? '';
  return Object.fromEntries(
    [...offer.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** What a client sends that has a token for a challenge (draft-stripe-charge-00). */
export function cardCredential(challenge: object, spt: unknown): string {
  return Buffer.from(JSON.stringify({ challenge, payload: { spt } })).toString('base64url');
}

/** Ask what a path costs, and pay it with a token. */
export async function payByCard(base: string, path: string, spt: string): Promise<Response> {
  const challenge = cardChallenge((await fetch(`${base}${path}`)).headers);
  return payChallenge(base, path, challenge, spt);
}

export function payChallenge(
  base: string,
  path: string,
  challenge: object,
  spt: unknown,
): Promise<Response> {
  const authorization = `Payment ${cardCredential(challenge, spt)}`;
  return fetch(`${base}${path}`, { headers: { authorization } });
}
