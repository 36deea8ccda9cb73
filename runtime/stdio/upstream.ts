import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Remembered } from '../process/remembered.ts';
import { StartError } from '../process/start-error.ts';
import { version } from '../process/version.ts';
import { isUnreachable, type LocalRequest, sendLocally } from './local-request.ts';
import { presencePath } from './local-server.ts';
import { type Meeting, readMeeting } from './meeting-point.ts';
import type { StartingServer } from './start-server.ts';

const pollMs = 20;
const startTimeoutMs = 30_000;

/** A server that does not say that it is there within this time is not there. */
const patienceMs = 3000;

export type UpstreamRequest = Omit<LocalRequest, 'socketPath' | 'path'>;

/** The server of a data directory: the one that runs, else one that is started. */
export class Upstream {
  readonly #dataDir: string;
  readonly #log: Logger;
  readonly #start: () => StartingServer;
  #presence: IncomingMessage | undefined;
  readonly #socket = new Remembered(() => this.#find());
  #closed = false;

  constructor(dataDir: string, log: Logger, start: () => StartingServer) {
    this.#dataDir = dataDir;
    this.#log = log;
    this.#start = start;
  }

  /** Be there, so that the server stays. */
  connect(): Promise<string> {
    return this.#socket.get();
  }

  /**
   * Send a request to the MCP endpoint of the server.
   *
   * @throws StartError when there is no server and none can be started
   */
  async send(request: UpstreamRequest): Promise<IncomingMessage> {
    for (let tries = 1; ; tries++) {
      const socketPath = await this.connect();
      try {
        return await sendLocally({ ...request, socketPath, path: '/' });
      } catch (error) {
        if (!isUnreachable(error) || tries === 3) throw error;
        this.#lose();
      }
    }
  }

  /** Leave; nothing can be sent any more. */
  close(): void {
    this.#closed = true;
    this.#lose();
  }

  #lose(): void {
    this.#socket.forget();
    this.#presence?.destroy();
    this.#presence = undefined;
  }

  async #find(): Promise<string> {
    const end = performance.now() + startTimeoutMs;
    let starting: StartingServer | undefined;
    while (!this.#closed && performance.now() < end) {
      const meeting = readMeeting(this.#dataDir);
      if (meeting && (await this.#join(meeting))) return meeting.socket;
      starting = this.#watch(starting);
      await sleep(pollMs);
    }
    if (this.#closed) throw new Error('the client has left');
    throw new StartError(
      `no server could be reached in ${this.#dataDir} within ${startTimeoutMs / 1000} s: see server.log there`,
    );
  }

  /** Start a server unless one is starting; one that gave up without an error has seen another one. */
  #watch(starting: StartingServer | undefined): StartingServer {
    const code = starting?.process.exitCode;
    if (starting && code === null && starting.process.signalCode === null) return starting;
    if (!starting || code === 0) return this.#start();
    const reason = reasonIn(starting.logged()) ?? `exit code ${code}`;
    throw new StartError(
      `the server cannot be started: ${reason}; see server.log in the data directory`,
    );
  }

  async #join({ socket, pid, version: theirs }: Meeting): Promise<boolean> {
    try {
      const presence = await sendLocally({
        socketPath: socket,
        method: 'GET',
        path: presencePath,
        patienceMs,
      });
      if (presence.statusCode !== 200) return false;
      // An error is followed by the end as well.
      presence.resume().on('error', () => {});
      presence.once('close', () => {
        if (this.#presence !== presence) return;
        this.#log.info({ pid }, 'the server has gone');
        this.#lose();
      });
      this.#presence = presence;
      if (this.#closed) this.#lose();
      const other = theirs === version ? {} : { itsVersion: theirs, version };
      this.#log.info({ pid, ...other }, 'connected to the server, whose settings apply');
      return true;
    } catch {
      return false;
    }
  }
}

/**
 * What a server says that gives up, with the lines that belong to it; the stack trace that follows
 * what nobody foresaw is none of them.
 */
function reasonIn(logged: string): string | undefined {
  const [, text] = /^agent-tool-server: (.+(?:\n {2}(?! *at ).+)*)/m.exec(logged) ?? [];
  return text?.replace(/:\n +/, ': ').replaceAll(/\n +/g, '; ').slice(0, 2000);
}
