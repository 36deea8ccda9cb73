import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { defaultTenant } from '#contract/tenant/tenants';
import { arriveAt } from '../admission/http-arrival.ts';
import type { McpEndpoint } from '../mcp/endpoint.ts';
import { createServer } from '../process/node-http.ts';
import { tenantPath } from '../process/own-address.ts';
import type { MeetingPoint } from './meeting-point.ts';
import { answerCommand, type CommandParts, commandPath } from './operator-command.ts';

/** A bridge keeps the answer to this open: each side sees at once that the other one has gone. */
export const presencePath = '/presence';

/** Asks a server that was started for bridges alone to make room. */
export const leavePath = '/leave';

/** A bridge that has started a server gets at least so long to come. */
const firstWaitMs = 10_000;

export interface LocalServerParts extends CommandParts {
  readonly mcp: McpEndpoint;
  /** Ids of those that are declared. */
  readonly tenants: readonly string[];
  readonly place: MeetingPoint;
  /** Only bridges use this server. */
  readonly isForBridges: boolean;
}

/** Serves MCP to the bridges of this machine, and commands of its operator, over a socket that only this user can open. */
export class LocalServer {
  readonly #parts: LocalServerParts;
  readonly #http: Server;
  readonly #bridges = new Set<ServerResponse>();
  readonly #asked = Promise.withResolvers<string>();
  #onBridges: () => void = () => {};

  constructor(parts: LocalServerParts) {
    this.#parts = parts;
    this.#http = createServer((request, response) => this.#open(request, response));
  }

  listen(): Promise<void> {
    return this.#parts.place.listen(this.#http);
  }

  /** Gives why, once nobody needs a server that is there for bridges. */
  unneeded(lingerMs: number, isBusy: () => boolean): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    let timer: NodeJS.Timeout | undefined;
    const wait = (ms: number) => {
      clearTimeout(timer);
      timer = this.#bridges.size > 0 ? undefined : setTimeout(look, ms);
    };
    const look = () => {
      if (isBusy()) wait(Math.max(lingerMs, 100));
      else resolve('the last client has left');
    };
    this.#onBridges = () => wait(lingerMs);
    wait(Math.max(lingerMs, firstWaitMs));
    return Promise.race([promise, this.#asked.promise]).finally(() => {
      this.#onBridges = () => {};
      clearTimeout(timer);
    });
  }

  /** Take no more requests, and wait for the answers to those that were taken. */
  async close(): Promise<void> {
    this.#parts.place.leave();
    if (!this.#http.listening) return;
    const closed = new Promise((resolve) => this.#http.close(resolve));
    for (const bridge of this.#bridges) bridge.end();
    await closed;
  }

  /** Let another server have the place, once all that it will open is closed. */
  release(): void {
    this.#parts.place.release();
  }

  /** End what has not ended by itself. */
  closeAllConnections(): void {
    this.#http.closeAllConnections();
  }

  #open(request: IncomingMessage, response: ServerResponse): void {
    if (request.url === presencePath) this.#keep(response);
    else if (request.url === leavePath) this.#leave(response);
    else if (request.url === commandPath) answerCommand(this.#parts, request, response);
    else if (this.#enters(request)) this.#parts.mcp.handle(request, response, 'stdio');
    else this.#refuse(response);
  }

  /** Whether a request is for a tenant that there is: below `/t/` and its id, or for the server itself. */
  #enters(request: IncomingMessage): boolean {
    const id = /^\/t\/([^/?]+)$/.exec(request.url ?? '')?.[1];
    if (id === undefined) return true;
    if (!this.#parts.tenants.includes(id)) return false;
    arriveAt(id, tenantPath(id), request);
    request.url = '/';
    return true;
  }

  #refuse(response: ServerResponse): void {
    const known = [defaultTenant, ...this.#parts.tenants].join(', ');
    const error = { code: -31404, message: `there is no such tenant; there are ${known}` };
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
  }

  #keep(response: ServerResponse): void {
    response.writeHead(200).flushHeaders();
    this.#bridges.add(response);
    this.#onBridges();
    response.once('close', () => {
      this.#bridges.delete(response);
      this.#onBridges();
    });
  }

  #leave(response: ServerResponse): void {
    const { isForBridges } = this.#parts;
    response.writeHead(isForBridges ? 202 : 409).end();
    if (isForBridges) this.#asked.resolve('another server takes its place');
  }
}
