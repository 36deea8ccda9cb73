import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** GitHub and Slack, as far as the triage of an issue asks them, on the loopback interface. */
export class ShippedVendors {
  /** What has come in: method, path and body. */
  readonly seen: string[] = [];
  /** State of the issue. */
  state = 'open';
  readonly #held: ServerResponse[] = [];
  #isHolding = false;
  #arrived: (() => void) | undefined;
  readonly #server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { pathname } = new URL(request.url ?? '', 'http://vendor');
    this.seen.push(`${request.method} ${pathname}${body && ` ${body}`}`);
    response.setHeader('content-type', 'application/json');
    if (this.#isHolding && pathname.endsWith('/labels')) {
      this.#held.push(response);
      this.#arrived?.();
    } else response.end(JSON.stringify(this.#answer(pathname)));
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Answer no request for labels from now on; gives what waits for the first one. */
  hold(): Promise<void> {
    this.#isHolding = true;
    return new Promise((resolve) => {
      this.#arrived = resolve;
    });
  }

  release(): void {
    this.#isHolding = false;
    for (const response of this.#held.splice(0)) response.end('[]');
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(path: string): object {
    if (path === '/search/issues') return { total_count: 1, items: [{ number: 7, title: 'Old' }] };
    if (path.endsWith('/labels')) return [{ name: 'bug' }];
    if (path.endsWith('/comments')) return { id: 1, html_url: 'https://github.example/1#c' };
    if (path.endsWith('chat.postMessage')) return { ok: true, channel: 'C1', ts: '1.2' };
    return { number: 1, title: 'Crash', state: this.state, html_url: 'https://github.example/1' };
  }
}
