import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import { signedHeaders } from '../../../runtime/audit/aws-signature.ts';
import { createS3Anchor } from '../../../runtime/audit/s3-anchor.ts';
import { Signer } from '../../../runtime/audit/signing-key.ts';
import { appendNotes, openLog, temporaryFolder } from './audit-note.ts';

const credentials = { region: 'eu-central-1', accessKeyId: 'id', secretAccessKey: 'not-a-secret' };
const signer = new Signer('tools.example.com/audit', Buffer.alloc(32, 7));

/** A bucket in memory that keeps to what is sent: signature, condition, pages of two keys. */
async function startBucket(t: TestContext) {
  const objects = new Map<string, string>();
  const puts: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    let body = '';
    for await (const chunk of request) body += chunk;
    if (!isSigned(request.method === 'PUT' ? 'PUT' : 'GET', url, request.headers, body)) {
      response.writeHead(403).end();
      return;
    }
    const key = decodeURIComponent(url.pathname.slice('/bucket/'.length));
    if (request.method === 'PUT') {
      puts.push(request.headers);
      response.writeHead(objects.has(key) ? 412 : 200).end();
      if (!objects.has(key)) objects.set(key, body);
    } else if (url.searchParams.get('list-type') === '2') {
      const after = url.searchParams.get('start-after') ?? '';
      const prefix = url.searchParams.get('prefix') ?? '';
      const keys = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after);
      const contents = keys
        .sort()
        .slice(0, 2)
        .map((name) => `<Contents><Key>${name}</Key></Contents>`);
      response.end(
        `<?xml version="1.0"?><ListBucketResult>${contents.join('')}</ListBucketResult>`,
      );
    } else {
      response.writeHead(objects.has(key) ? 200 : 404).end(objects.get(key));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { objects, puts, endpoint };
}

function isSigned(
  method: 'GET' | 'PUT',
  url: URL,
  headers: IncomingHttpHeaders,
  body: string,
): boolean {
  const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? [];
  const own = new Set(['host', 'x-amz-date', 'x-amz-content-sha256']);
  const given = names.filter((name) => !own.has(name)).map((name) => [name, String(headers[name])]);
  const time = String(headers['x-amz-date']).replace(
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/,
    '$1-$2-$3T$4:$5:$6Z',
  );
  const request = { method, url, headers: Object.fromEntries(given), body };
  const expected = signedHeaders(request, credentials, new Date(time));
  return expected['authorization'] === headers.authorization;
}

function checkpoint(size: number) {
  const note = signer.checkpoint(size, Buffer.alloc(32, size));
  return { size, root: '', note };
}

const signal = new AbortController().signal;
/** Nothing is read of the log but its name. */
const log = {
  origin: 'tools.example.com/audit',
  tile: async () => undefined,
  entriesBundle: async () => undefined,
  consistency: async () => undefined,
};

test('a request is signed as in the example of the documentation (AWS Signature Version 4)', () => {
  const headers = signedHeaders(
    {
      method: 'GET',
      url: new URL('https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J'),
      headers: {},
      body: '',
    },
    {
      region: 'us-east-1',
      accessKeyId: ['AKIA', 'IOSFODNN7EXAMPLE'].join(''),
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    },
    new Date('2013-05-24T00:00:00Z'),
  );
  assert.match(
    headers['authorization'] ?? '',
    /Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7$/,
  );
});

test('a checkpoint is put once, locked and with its checksum, and the newest is found', async (t) => {
  const { endpoint, objects, puts } = await startBucket(t);
  const anchor = createS3Anchor({ ...credentials, endpoint, bucket: 'bucket', retainDays: 30 });
  assert.equal(await anchor.newest('tools.example.com/audit', signal), undefined);
  for (const size of [3, 900, 20, 1100, 7]) await anchor.put(checkpoint(size), log, signal);
  assert.equal(await anchor.newest('tools.example.com/audit', signal), checkpoint(1100).note);
  assert.equal(objects.size, 5);
  const [first] = puts;
  assert.equal(first?.['if-none-match'], '*');
  assert.equal(first['x-amz-object-lock-mode'], 'COMPLIANCE');
  assert.equal(first['x-amz-checksum-sha256'], hash('sha256', checkpoint(3).note, 'base64'));
  const until = Date.parse(String(first['x-amz-object-lock-retain-until-date']));
  assert.ok(until > Date.now() + 29 * 86_400_000);
});

test('a checkpoint of the same size is accepted when it is the same, and only then', async (t) => {
  const { endpoint } = await startBucket(t);
  const anchor = createS3Anchor({ ...credentials, endpoint, bucket: 'bucket', retainDays: 30 });
  await anchor.put(checkpoint(3), log, signal);
  await anchor.put(checkpoint(3), log, signal);
  const other = { ...checkpoint(3), note: signer.checkpoint(3, Buffer.alloc(32, 9)) };
  await assert.rejects(anchor.put(other, log, signal), /another checkpoint/);
});

test('a wrong secret is reported with the status, and without the secret', async (t) => {
  const { endpoint } = await startBucket(t);
  const wrong = { ...credentials, secretAccessKey: 'wrong-one' };
  const anchor = createS3Anchor({ ...wrong, endpoint, bucket: 'bucket', retainDays: 30 });
  await assert.rejects(
    anchor.put(checkpoint(3), log, signal),
    (error) => /403/.test(String(error)) && !/wrong-one/.test(String(error)),
  );
});

test('a log that was rolled back is recognised by its bucket', async (t) => {
  const { endpoint } = await startBucket(t);
  const anchor = createS3Anchor({ ...credentials, endpoint, bucket: 'bucket', retainDays: 30 });
  const log = await openLog(t, temporaryFolder(t), { anchors: [anchor] });
  await appendNotes(log, 5);
  await log.close();
  const older = await openLog(t, temporaryFolder(t), { anchors: [anchor] });
  assert.equal(older.status().state, 'rolled_back');
});
