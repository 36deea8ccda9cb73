import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Ending } from '../common-server.ts';

// A key pair for loopback that protects nothing.
const pem = readFileSync(
  new URL('../../runtime/outbound/connection/loopback.pem', import.meta.url),
  'utf8',
);

type Answers = (response: ServerResponse) => void;

export interface Stranger {
  readonly url: string;
  /** What is served by path, or what answers by itself; changed as a test goes on. */
  readonly documents: Map<string, unknown>;
  /** Paths that were asked for. */
  readonly seen: string[];
}

/** A server of somebody else, over TLS, that serves documents. */
export async function startStranger(t: Ending): Promise<Stranger> {
  const documents = new Map<string, unknown>();
  const seen: string[] = [];
  const server = createServer({ key: pem, cert: pem }, ({ url = '' }, response) => {
    seen.push(url);
    const document = documents.get(url);
    if (typeof document === 'function') return void (document as Answers)(response);
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const trusted = getCACertificates('default');
  // Nobody else is asked over TLS, and to read all that are trusted takes longer than the test.
  setDefaultCACertificates([pem.slice(pem.indexOf('-----BEGIN CERTIFICATE'))]);
  t.after(() => {
    setDefaultCACertificates(trusted);
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `https://localhost:${port}`, documents, seen };
}
