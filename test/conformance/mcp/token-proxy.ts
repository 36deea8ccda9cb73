import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exchange, register } from '../../surfaces/identity/agent.ts';

/** Something that passes requests on, with the token of an agent that has just registered. */
export interface TokenProxy {
  readonly url: URL;
  close(): void;
}

/** Stand before a server that wants tokens, for clients that have none. */
export async function startTokenProxy(server: URL): Promise<TokenProxy> {
  const { identity_assertion: assertion } = await register(server.origin);
  const { json } = await exchange(server.origin, assertion);
  const authorization = `Bearer ${json.access_token}`;
  const proxy = createServer((asked, answer) => {
    const { method, url: path, headers } = asked;
    const { hostname: host, port } = server;
    const onward = request({
      ...{ host, port, method, path, headers: { ...headers, authorization } },
    });
    onward.on('response', (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return {
    url: new URL(server.pathname, `http://127.0.0.1:${port}`),
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
