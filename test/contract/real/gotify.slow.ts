import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isObject } from '#contract/json';
import { freePort } from '../../surfaces/identity/outbox/mail-server.ts';
import { objectOf } from './answers.ts';
import { draftTools } from './drafted-tools.ts';
import { startRealServer } from './real-server.ts';

/** One transparent pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

// Gotify's server, written in Go, publishes a description of Swagger 2.0 with uploads and pages.
test('applications and messages of a Gotify server are made, listed, paged, given a picture and deleted through drafted tools', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'gotify-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, 'data'));
  const port = await freePort();
  const own = `http://127.0.0.1:${port}`;
  const program = process.env['GOTIFY_SERVER'];
  assert.ok(program, 'GOTIFY_SERVER names no program');
  await startRealServer(t, {
    program,
    args: [],
    ready: `${own}/health`,
    folder: home,
    env: {
      GOTIFY_SERVER_LISTENADDR: '127.0.0.1',
      GOTIFY_SERVER_PORT: String(port),
      GOTIFY_DEFAULTUSER_PASS: 'a-password-of-this-test',
    },
  });
  // The credential is what a person makes for a client, and all that is done by hand.
  const client = await ask(
    '/client',
    { name: 'agent' },
    `Basic ${btoa('admin:a-password-of-this-test')}`,
  );
  const token = String(client['token']);
  const tools = await draftTools(t, {
    id: 'gotify',
    openapi: `${own}/swagger`,
    env: { SERVICE_GOTIFY_TOKEN: token },
  });
  const { call, fail, say } = tools;
  assert.ok(tools.curation.includes(`servers: [ { url: ${own} } ]`), tools.curation);

  // Create, and list.
  const app = objectOf(
    await call('gotify_create_app', { name: 'Build', description: 'Says what is done' }),
  );
  const { id } = app;
  assert.deepEqual(await applications(), [['Build', 'Says what is done']]);

  // Update.
  await call('gotify_update_application', {
    id,
    name: 'Builds',
    description: 'Says it',
    defaultPriority: 4,
  });
  assert.deepEqual(await applications(), [['Builds', 'Says it']]);

  // Upload, as a part of a form, and see what arrived.
  const given = objectOf(
    await call('gotify_upload_app_image', {
      id,
      file: { base64: pixel, filename: 'dot.png', type: 'image/png' },
    }),
  );
  const picture = await fetch(`${own}/${given['image']}`);
  assert.deepEqual(Buffer.from(await picture.arrayBuffer()), Buffer.from(pixel, 'base64'));
  assert.match(
    await fail('gotify_upload_app_image', {
      id,
      file: { base64: 'aGVsbG8=', filename: 'dot.png' },
    }),
    /image/i,
  );

  // Pages: what applications say, they say with tokens of their own.
  for (let at = 1; at <= 5; at += 1) {
    await ask('/message', { message: `${at} of 5`, priority: at }, `Bearer ${app['token']}`);
  }
  const read: unknown[] = [];
  let cursor: unknown;
  do {
    const page = objectOf(
      await call('gotify_get_messages', { limit: 2, ...(cursor !== undefined && { cursor }) }),
    );
    read.push(...messagesOf(page));
    cursor = page['next_cursor'];
  } while (cursor !== undefined);
  assert.deepEqual(read, ['5 of 5', '4 of 5', '3 of 5', '2 of 5', '1 of 5']);
  assert.match(await say('gotify_get_app_messages', { id, limit: 1 }), /5 of 5/);

  // A credential of another kind is needed here, which Gotify says itself.
  assert.match(
    await fail('gotify_create_message', { message: 'by a client' }),
    /unauthorized|forbidden/,
  );

  // Delete.
  await call('gotify_delete_app_messages', { id });
  assert.deepEqual(messagesOf(objectOf(await call('gotify_get_messages'))), []);
  await call('gotify_delete_app', { id });
  assert.deepEqual(await applications(), []);
  assert.match(await fail('gotify_delete_app', { id }), /not_found/);
  assert.equal(readFileSync(join(home, 'data/gotify.db')).length > 0, true);

  async function applications(): Promise<readonly unknown[]> {
    const { items } = objectOf(await call('gotify_get_apps'));
    assert.ok(Array.isArray(items));
    return items.map((item) => [objectOf(item)['name'], objectOf(item)['description']]);
  }

  /** What the server itself answers, by its own API. */
  async function ask(path: string, body: object, authorization: string) {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(own + path, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 200, path);
    return objectOf(await answer.json());
  }
});

function messagesOf({ messages, items }: Record<string, unknown>): unknown[] {
  const list = messages ?? items;
  assert.ok(Array.isArray(list));
  return list.map((each) => isObject(each) && each['message']);
}
