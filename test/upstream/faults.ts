import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** One way in which a vendor's answer goes wrong, and the codes a tool may report it under. */
export interface Fault {
  readonly name: string;
  readonly expected: readonly string[];
  /** How patient the caller is. */
  readonly limits?: { readonly timeoutMs: number };
  answer(response: ServerResponse): void;
}

const problem = JSON.stringify({ message: 'the vendor says no', code: 'vendor_code' });

function status(name: string, code: number, expected: string, headers = {}): Fault {
  return {
    name,
    expected: [expected],
    answer(response) {
      response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(problem);
    },
  };
}

/** 64 MiB of zeros in 64 kB. */
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));

/** The fault suite: every generated tool has to turn each of these into a clear tool error. */
export const faults: readonly Fault[] = [
  status('401', 401, 'unauthorized'),
  status('403', 403, 'forbidden'),
  status('404', 404, 'not_found'),
  status('409', 409, 'conflict'),
  status('422', 422, 'invalid_arguments'),
  status('429 with Retry-After in seconds', 429, 'rate_limited', { 'retry-after': '3600' }),
  status('429 with Retry-After as a date', 429, 'rate_limited', {
    'retry-after': 'Tue, 01 Jan 2999 00:00:00 GMT',
  }),
  status('429 with a reset header', 429, 'rate_limited', {
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': '32472144000',
    'retry-after': '3600',
  }),
  status('500', 500, 'upstream_error'),
  {
    name: 'slow body',
    expected: ['upstream_timeout'],
    limits: { timeoutMs: 50 },
    answer(response) {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"items": [');
    },
  },
  {
    name: 'truncated JSON',
    expected: ['upstream_error'],
    answer(response) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"items": [{"id": 1');
    },
  },
  {
    name: 'HTML error page',
    expected: ['upstream_error'],
    answer(response) {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!DOCTYPE html><html><body><h1>Down for maintenance</h1></body></html>');
    },
  },
  {
    name: '10 MB body',
    expected: ['response_too_large'],
    answer(response) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"data": "${'x'.repeat(10 * 1024 * 1024)}"}`);
    },
  },
  {
    name: 'redirect to another host',
    expected: ['upstream_error'],
    answer(response) {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
    },
  },
  {
    name: 'gzip bomb',
    expected: ['response_too_large'],
    answer(response) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(bomb);
    },
  },
];
