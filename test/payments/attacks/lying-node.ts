import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

interface Question {
  readonly id: unknown;
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** Gives another result than the chain does; `undefined` where it says what the chain says. */
type Lie = (question: Question, result: unknown) => unknown;

/** A node of a chain that may say something else than the chain does, and counts what it is asked. */
export class LyingNode {
  lie: Lie = () => undefined;
  /** Answers a whole request in place of the chain, where it says so. */
  instead: ((answer: ServerResponse, method: string) => boolean) | undefined;
  readonly #asked = new Map<string, number>();
  readonly #waiting = new Set<() => void>();
  readonly #server;

  private constructor(chain: string) {
    this.#server = createServer(async (request, answer) => {
      const body = await text(request);
      const asked: unknown = JSON.parse(body);
      const questions = (Array.isArray(asked) ? asked : [asked]) as readonly Question[];
      if (questions.some(({ method }) => this.instead?.(answer, method))) return;
      const headers = { 'content-type': 'application/json' };
      const told = await fetch(chain, { method: 'POST', headers, body })
        .then((found) => found.json())
        .catch(() => undefined);
      if (told === undefined) return void answer.destroy();
      const results = (Array.isArray(told) ? told : [told]) as Record<string, unknown>[];
      for (const result of results) {
        const question = questions.find(({ id }) => id === result['id']);
        if (question === undefined) continue;
        const other = this.lie(question, result['result']);
        if (other !== undefined) result['result'] = other;
        this.#asked.set(question.method, (this.#asked.get(question.method) ?? 0) + 1);
      }
      answer.writeHead(200, headers).end(JSON.stringify(told));
      for (const wake of this.#waiting) wake();
    });
  }

  static async before(t: Pick<TestContext, 'after'>, chain: string): Promise<LyingNode> {
    const node = new LyingNode(chain);
    node.#server.listen(0, '127.0.0.1');
    await once(node.#server, 'listening');
    t.after(() => {
      node.#server.closeAllConnections();
      node.#server.close();
    });
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Wait until it has answered so many more questions of a kind. */
  async answered(method: string, more: number): Promise<void> {
    const enough = (this.#asked.get(method) ?? 0) + more;
    while ((this.#asked.get(method) ?? 0) < enough) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await promise;
      this.#waiting.delete(resolve);
    }
  }
}
