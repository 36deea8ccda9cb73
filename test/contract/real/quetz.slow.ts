import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../surfaces/identity/outbox/mail-server.ts';
import { objectOf } from './answers.ts';
import { draftTools } from './drafted-tools.ts';
import { startRealServer } from './real-server.ts';

/** Its description does not say that it wants a credential, nor how. */
const auth = '[ { type: api_key, in: header, name: X-API-Key, env: [ SERVICE_QUETZ_KEY ] } ]';

/** The package nothing 1.0 of conda: an archive of tar and bzip2 in which only its own description stands. */
const nothing = [
  'QlpoOTFBWSZTWeSkGKkAARtfhs6BUAX9kCEiJQr//99qAAgAAIgIMAE42LCUiaCaMNIaaAGgA0A00AlETRNpPUAABoNAAAAJJI1DINA0AABoAA0H44rr',
  'WCAZNOmQJz0hIlsWjsEoUwK0tG5AEYRgkMgGRNNgh3Zmm35Dfd9xj7Tm7vvj+0SnzpzJmZzkzEknfRBwcmaBrmOer69BsCNAqW2TEEIhHFOLQCdQUgjl',
  'pMRpIT64o9lAODU14USOkYj1mAHqhYtKhUR0Nc7Aqpr1YkMRcpzPp7c8ulabkcfGQ1q5ylq25zJn37CGB2SZ4GqI47aMQkhGnVlr19r+9icbwSOIwUI0',
  'lG313XVrvoPM7ihFnJThmLKAwj0yQDGGGEb76zLAJWsRYKMW1bSYrn1HWAeLWQleKkTapEnfQoPsxU/yhNuhID+LuSKcKEhyUgxUgA==',
].join('');

// Quetz, a server of packages, publishes a description of OpenAPI 3.1 with several files in one form.
test('channels and packages of a Quetz server are made, listed, paged, changed, uploaded and deleted through drafted tools', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'quetz-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const port = await freePort();
  const own = `http://127.0.0.1:${port}`;
  const program = process.env['QUETZ_SERVER'];
  assert.ok(program, 'QUETZ_SERVER names no program');
  const settings = join(home, 'settings.toml');
  writeFileSync(
    settings,
    `[sqlalchemy]
database_url = "sqlite:///./quetz.sqlite"
[session]
secret = "${'5a'.repeat(32)}"
https_only = false
[users]
admins = ["dummy:alice"]
`,
  );
  const folder = join(home, 'deployment');
  await startRealServer(t, {
    program,
    // With people and channels to try it out.
    args: ['run', folder, '--copy-conf', settings, '--dev', '--port', `${port}`],
    ready: `${own}/health/ready`,
    folder: home,
  });
  const key = await keyOf('alice');
  const tools = await draftTools(t, {
    id: 'quetz',
    openapi: `${own}/openapi.json`,
    auth,
    env: { SERVICE_QUETZ_KEY: key },
  });
  const { call, fail, say } = tools;
  assert.ok(tools.curation.includes(`servers: [ { url: ${own} } ]`), tools.curation);

  // Create, and read.
  for (const name of ['tools', 'games']) {
    await say('quetz_post_channel', { name, description: `For ${name}`, private: false });
  }
  const made = objectOf(await call('quetz_get_channel', { channel_name: 'tools' }));
  assert.deepEqual([made['description'], made['private']], ['For tools', false]);

  // Pages: three channels were there before.
  const read: unknown[] = [];
  let cursor: unknown;
  do {
    const page = objectOf(
      await call('quetz_get_paginated_channels', {
        limit: 2,
        ...(cursor !== undefined && { cursor }),
      }),
    );
    const channels = namesOf(page);
    assert.ok(channels.length <= 2, JSON.stringify(page));
    read.push(...channels);
    cursor = page['next_cursor'];
  } while (cursor !== undefined);
  assert.deepEqual(read.sort(), ['channel0', 'channel1', 'channel2', 'games', 'tools']);

  // Update; a name of what may not be changed comes back in the server's own words.
  const channel = { channel_name: 'tools' };
  await say('quetz_patch_channel', { ...channel, private: true });
  assert.equal(objectOf(await call('quetz_get_channel', channel))['private'], true);
  assert.match(
    await fail('quetz_patch_channel', { ...channel, description: 'Other tools' }),
    /invalid_arguments.*'description' of channel can not be changed/,
  );

  // Upload, as one of several files of a form, and load down what arrived.
  const filename = 'nothing-1.0-0.tar.bz2';
  await say('quetz_post_file_to_channel', { ...channel, files: [{ base64: nothing, filename }] });
  assert.deepEqual(namesOf(objectOf(await call('quetz_get_packages', channel))), ['nothing']);
  const sent = await say('quetz_serve_path', { ...channel, path: `noarch/${filename}` });
  assert.ok(sent.includes(nothing), sent.slice(0, 500));
  assert.match(
    await fail('quetz_post_file_to_channel', {
      ...channel,
      files: [{ base64: 'aGVsbG8=', filename: 'other-1.0-0.tar.bz2' }],
    }),
    /Quetz/,
  );

  // Delete.
  await say('quetz_delete_package', { ...channel, package_name: 'nothing' });
  assert.deepEqual(namesOf(objectOf(await call('quetz_get_packages', channel))), []);
  await say('quetz_delete_channel', channel);
  assert.match(await fail('quetz_get_channel', channel), /not_found.*Channel tools not found/);

  /** A key, which a person makes in the browser after a login, and which is all that is done by hand. */
  async function keyOf(person: string): Promise<string> {
    const login = await fetch(`${own}/api/dummylogin/${person}`, { redirect: 'manual' });
    const cookie = (login.headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? '';
    const answer = await fetch(`${own}/api/api-keys`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ description: 'agent', roles: [] }),
    });
    return String(objectOf(await answer.json())['key']);
  }
});

function namesOf({ items }: Record<string, unknown>): unknown[] {
  assert.ok(Array.isArray(items));
  return items.map((each) => objectOf(each)['name']);
}
