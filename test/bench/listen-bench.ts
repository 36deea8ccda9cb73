import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, type Row } from './row.ts';
import { type ServerProcess, startFlags, startServer } from './server-process.ts';

const streams = 1000;
const rounds = 9;

/** A client that keeps a stream of `subscriptions/listen` open. */
interface Listener {
  readonly socket: Socket;
  /** Milliseconds since the epoch at which the next notice of a changed list has arrived. */
  heard(): Promise<number>;
}

/** Many open streams: what they take, and how long it is until all of them have heard of a change. */
export async function listenBench(): Promise<Row[]> {
  const server = await startServer('ours', { TOOLS: '100' }, startFlags);
  const listeners: Listener[] = [];
  try {
    listeners.push(await listen(server.url, 0));
    const before = await settledMemory(server);
    for (let id = 1; id < streams; id++) listeners.push(await listen(server.url, id));
    const after = await settledMemory(server);
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await spread(server, listeners));
    const last = await settledMemory(server);
    return [memoryRow(before, after, last), timeRow(times)];
  } finally {
    for (const { socket } of listeners) socket.destroy();
    await server.stop();
  }
}

/** Milliseconds from a change until the last stream has heard of it. */
async function spread(server: ServerProcess, listeners: readonly Listener[]): Promise<number> {
  const heard = Promise.all(listeners.map((listener) => listener.heard()));
  const at = await server.act('change');
  const time = Math.max(...(await heard)) - at;
  await sleep(50);
  return time;
}

async function settledMemory(server: ServerProcess): Promise<number> {
  await sleep(500);
  return server.residentMemory();
}

async function listen(url: string, id: number): Promise<Listener> {
  const { hostname, port, pathname, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  const until = (text: string) =>
    new Promise<number>((resolve) => {
      let seen = '';
      const look = (chunk: Buffer) => {
        seen += chunk.toString('latin1');
        if (!seen.includes(text)) return;
        socket.off('data', look);
        resolve(performance.timeOrigin + performance.now());
      };
      socket.on('data', look);
    });
  socket.write(requestOf(host, pathname, id));
  await until('notifications/subscriptions/acknowledged');
  return { socket, heard: () => until('notifications/tools/list_changed') };
}

function requestOf(host: string, path: string, id: number): string {
  const method = 'subscriptions/listen';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { notifications: { toolsListChanged: true }, _meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
  return [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'MCP-Protocol-Version: 2026-07-28',
    `Mcp-Method: ${method}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

function memoryRow(before: number, after: number, last: number): Row {
  const more = after - before;
  return {
    what: `memory of ${streams.toLocaleString('en')} open streams of \`subscriptions/listen\``,
    target: 'at most 150 MB',
    measured: `${more.toFixed(0)} MB`,
    met: more <= 150,
    detail: `${before.toFixed(0)} MB with one; ${last.toFixed(0)} MB after ${rounds} changes`,
  };
}

function timeRow(times: readonly number[]): Row {
  const middle = median(times);
  const most = Math.max(...times);
  return {
    what: 'time until a changed list is known to all of them',
    target: 'at most 200 ms',
    measured: `${middle.toFixed(0)} ms`,
    met: most <= 200,
    detail: `${most.toFixed(0)} ms at most in ${times.length} changes`,
  };
}
