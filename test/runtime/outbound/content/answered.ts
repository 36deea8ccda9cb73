import type { TestContext } from 'node:test';
import type { Provider } from '#contract/provider';
import type { ResponseShape } from '#contract/tool';
import { caller, stillClock } from '../harness.ts';
import { startUpstream } from '../upstream.ts';

export interface Reply {
  readonly type?: string;
  readonly body?: string | Buffer;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly response?: ResponseShape;
  readonly provider?: Partial<Provider>;
}

/** Calls to a vendor that answers so. */
export async function answered(t: TestContext, reply: Reply) {
  const { type = 'application/json', body = '', status = 200, headers, response } = reply;
  const upstream = await startUpstream(t, (out) => {
    out.writeHead(status, { 'content-type': type, ...headers }).end(body);
  });
  const tool = response === undefined ? {} : { response };
  return caller(t, upstream.url, {
    tool,
    options: { clock: stillClock() },
    ...(reply.provider ? { provider: reply.provider } : {}),
  });
}
