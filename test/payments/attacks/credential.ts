import { keccak256, stringToBytes } from 'viem';
import { type Signed, signedFor, unwrapped } from '../shop.ts';

type Texts = Readonly<Record<string, string>>;

/** A challenge of MPP as a header of 402 says it. */
export async function challengeOf(base: string, path: string): Promise<Texts> {
  const header = (await fetch(`${base}${path}`)).headers.get('www-authenticate') ?? '';
  const [, first = ''] = header.split(/(?:^|, )Payment /);
  return Object.fromEntries(
    [...first.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** What answers it (evm/charge, credential type authorization); `signed` is what is not as it should be. */
export async function credentialFor(challenge: Texts, signed: Signed = {}): Promise<string> {
  const { amount, recipient } = JSON.parse(
    Buffer.from(challenge['request'] ?? '', 'base64url').toString(),
  ) as { readonly amount: string; readonly recipient: string };
  const nonce = keccak256(stringToBytes(`${challenge['id']}${challenge['realm']}`));
  const { payload } = unwrapped(
    await signedFor({ payTo: recipient, amount }, { nonce, ...signed }),
  ) as { readonly payload: { readonly signature: string; readonly authorization: object } };
  const { signature, authorization } = payload;
  const shown = { challenge, payload: { type: 'authorization', ...authorization, signature } };
  return Buffer.from(JSON.stringify(shown)).toString('base64url');
}

/** Show it, and give the last part of the name of the problem besides the answer. */
export async function showCredential(base: string, path: string, credential: string) {
  const headers = { authorization: `Payment ${credential}` };
  const answer = await fetch(`${base}${path}`, { headers });
  const { type = '', code } = (await answer.json()) as { type?: string; code?: string };
  return { status: answer.status, problem: type.slice(type.lastIndexOf('/') + 1), code };
}
