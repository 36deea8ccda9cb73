import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { createService, type Service } from '../../../../runtime/main.ts';
import { Revocations } from '../../../../runtime/surfaces/identity/tokens/revocations.ts';
import type { Ending } from '../../common-server.ts';

// What is shown of one server over SQLite, shown of two over PostgreSQL: whoever asks meets now the
// one, now the other, and cannot tell.

type Env = Readonly<Record<string, string>>;

/** A server that starts again over the same folder finds its database. */
const databases = new Map<string, Promise<string>>();

/** A copy of the database at the address of `IDENTITY_REPLICAS`, to which nobody may be connected. */
function databaseOf(dataDir: string, template: string): Promise<string> {
  const known = databases.get(dataDir) ?? copyDatabase(template);
  databases.set(dataDir, known);
  return known;
}

async function copyDatabase(template: string): Promise<string> {
  const copied = new URL(template).pathname.slice(1);
  const name = `replicas_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client(atDatabase(template, 'postgres'));
  await client.connect();
  try {
    await client.query(`create database ${name} template ${copied} strategy file_copy`);
  } finally {
    await client.end();
  }
  return atDatabase(template, name);
}

/** Another database of the same server. */
function atDatabase(address: string, name: string): string {
  const url = new URL(address);
  url.pathname = `/${name}`;
  return url.href;
}

/** What follows the revocations of each tenant at each replica. */
const followers = new Set<Revocations>();
const { follow } = Revocations.prototype;
Revocations.prototype.follow = function () {
  followers.add(this);
  return follow.call(this);
};

/**
 * Have every replica hear of what has ended. They do so within half a second by themselves; whoever
 * waited for that would depend on how fast the machine is.
 */
async function hear(): Promise<void> {
  // A look that is under way may have begun too early.
  for (const _ of ['under way', 'from now on']) {
    await Promise.allSettled([...followers].map((each) => each.follow()));
  }
}

/** Those of other servers stay: a test may go on with one before it looks by itself. */
async function forgetStopped(): Promise<void> {
  const each = [...followers];
  const looks = await Promise.allSettled(each.map((one) => one.follow()));
  for (const [index, one] of each.entries()) {
    if (looks[index]?.status === 'rejected') followers.delete(one);
  }
}

/** Serve two replicas under one address, over a copy of the database `template`. */
export async function serveTwoReplicas(
  t: Ending,
  env: Env & { readonly SERVICE_DATA_DIR: string },
  template: string,
): Promise<{ readonly base: string; readonly service: Service }> {
  const { SERVICE_DATA_DIR: dataDir, PORT: wanted } = env;
  const services: Service[] = [];
  const ports: number[] = [];
  let asked = 0;
  const front = createServer((incoming, outgoing) => {
    const port = ports[asked++ % ports.length];
    if (port === undefined) outgoing.writeHead(503).end();
    else pass(incoming, outgoing, port);
  });
  // Also where one of them does not start: what is left open keeps the process.
  t.after(async () => {
    front.closeAllConnections();
    front.close();
    const ended = await Promise.allSettled(services.map(stop));
    await forgetStopped();
    for (const each of ended) if (each.status === 'rejected') throw each.reason;
  });
  // It listens first, or else a replica might take its port.
  front.listen(Number(wanted ?? 0), '127.0.0.1');
  await once(front, 'listening');
  const base = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const shared = {
    SERVICE_BASE_URL: base,
    SERVICE_SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
    SERVICE_AUDIT_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...env,
    SERVICE_DATABASE_URL: await databaseOf(dataDir, template),
  };
  for (const folder of [dataDir, `${dataDir}-beside`]) {
    const service = await createService({ ...shared, SERVICE_DATA_DIR: folder });
    services.push(service);
    await service.life.start();
    const listening = await service.http.listen({ host: '127.0.0.1', port: 0 });
    ports.push(Number(new URL(listening).port));
  }
  const [service] = services;
  if (!service) throw new Error('there is no replica');
  return { base, service };
}

async function stop({ mcp, http, life }: Service): Promise<void> {
  mcp.endpoint.drain();
  try {
    await http.close();
  } finally {
    await life.stop();
  }
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse, port: number): void {
  const { method, url, headers } = incoming;
  const onward = request(
    { host: '127.0.0.1', port, method, path: url, headers },
    async (answer) => {
      const { statusCode = 502, rawHeaders } = answer;
      if (method === 'POST' && mayEnd(url, statusCode)) await hear();
      outgoing.writeHead(statusCode, rawHeaders);
      answer.pipe(outgoing);
    },
  );
  onward.on('error', () => outgoing.destroy());
  incoming.on('error', () => onward.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}

/** Whether something that was good until now may have ended with this request. */
function mayEnd(url = '', status: number): boolean {
  if (/\/(mcp|sign-in|register)\b/.test(url)) return false;
  // A token that is used again takes along what came of it, and is refused.
  return /\/(token|authorize)\b/.test(url) ? status >= 400 : true;
}
