import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { startFakeBackEnd } from '../fake-back-end.ts';

/** What becomes of the answers of a back end on their way. */
export type Meddling = 'none' | 'half' | 'page' | 'failure' | 'silence' | 'noise';

/** Stands before a back end, and spoils what it answers. */
export interface Meddler {
  readonly url: string;
  meddling: Meddling;
}

const secret = 'Bearer abcdefghij0123456789abcdefghij';

/** Ways to spoil an answer; what is silent lets the client wait. */
const ways: Readonly<
  Record<Exclude<Meddling, 'none'>, (body: Buffer, response: ServerResponse) => void>
> = {
  // The length that was announced does not come: the connection ends before.
  half(body, response) {
    response.writeHead(200, { 'content-length': body.length });
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
  },
  page: (_, response) => response.end('<!DOCTYPE html><title>Sign in</title>'),
  failure: (_, response) => response.writeHead(500).end(`panic: token ${secret} in main.go:7`),
  silence: () => {},
  noise: (_, response) =>
    response.end('{"status":"success","data":{"resultType":42,"result":"x"}}'),
};

/** Start what stands before the back end at `target`. */
export async function startMeddler(
  t: Pick<TestContext, 'after'>,
  target: string,
): Promise<Meddler> {
  const meddler: { url: string; meddling: Meddling } = { url: '', meddling: 'none' };
  meddler.url = await startFakeBackEnd(t, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = 'GET', headers } = request;
    const body = Buffer.concat(chunks);
    const type = headers['content-type'];
    const asked = {
      ...{ method, headers: type === undefined ? {} : { 'content-type': type } },
      ...(body.length > 0 && { body }),
    };
    const answer = await fetch(`${target}${request.url}`, asked).catch(() => undefined);
    // Who asks must see that there is nobody.
    if (answer === undefined) return void response.destroy();
    const text = Buffer.from(await answer.arrayBuffer());
    if (meddler.meddling === 'none') response.writeHead(answer.status).end(text);
    else ways[meddler.meddling](text, response);
  });
  return meddler;
}
