import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { request } from 'undici';
import { modernVersion } from '../rpc.ts';

export interface Notification {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>> & { readonly _meta: unknown };
}

/** Open a stream of `subscriptions/listen`; gives what reads its next message. */
export async function listen(
  t: TestContext,
  url: URL,
  id: string,
  notifications: object,
  capabilities: object = {},
) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': modernVersion,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const method = 'subscriptions/listen';
  const { statusCode, headers, body } = await request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': modernVersion,
      'mcp-method': method,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { notifications, _meta } }),
  });
  t.after(() => body.destroy());
  body.on('error', () => {});
  assert.equal(statusCode, 200);
  assert.equal(headers['content-type'], 'text/event-stream');
  const chunks = body[Symbol.asyncIterator]();
  let text = '';
  return async (): Promise<Notification> => {
    while (!text.includes('\n\n')) text += String((await chunks.next()).value);
    const [block = ''] = text.split('\n\n', 1);
    text = text.slice(block.length + 2);
    return JSON.parse(block.slice(block.indexOf('data: ') + 6)) as Notification;
  };
}
