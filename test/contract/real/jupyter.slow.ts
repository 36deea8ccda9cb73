import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../surfaces/identity/outbox/mail-server.ts';
import { objectOf } from './answers.ts';
import { draftTools } from './drafted-tools.ts';
import { startPythonServer } from './real-server.ts';

const token = 'jupyter-token-of-this-test';
/** The description says nothing of the credential: it travels as Jupyter's own documents say. */
const auth =
  '[ { type: api_key, in: header, name: Authorization, format: "token {token}", env: [ SERVICE_JUPYTER_TOKEN ], required: true } ]';

// Jupyter's server, a store of files, publishes a description of Swagger 2.0 that its authors write.
test('files of a Jupyter server are uploaded, read, moved, restored and deleted through drafted tools', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'jupyter-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const files = join(home, 'files');
  mkdirSync(files);
  const port = await freePort();
  const own = `http://127.0.0.1:${port}/api`;
  await startPythonServer(t, {
    program: 'jupyter-server',
    args: [
      ...['--allow-root', '--no-browser', '--ip=127.0.0.1', `--port=${port}`],
      ...['--ServerApp.port_retries=0', `--ServerApp.root_dir=${files}`],
    ],
    ready: own,
    folder: home,
    env: { JUPYTER_TOKEN: token },
  });
  // It shows its description to those only who have the token.
  const openapi = `${own}/spec.yaml?token=${token}`;
  const env = { SERVICE_JUPYTER_TOKEN: token };
  const tools = await draftTools(t, { id: 'jupyter', openapi, auth, env });
  const { call, fail } = tools;
  assert.doesNotMatch(tools.curation + tools.upstream, new RegExp(token));

  const bytes = Buffer.from([0, 1, 2, 253, 254, 255]);
  const path = 'work/notes & more.txt';
  await call('jupyter_contents_replace', { path: 'work', type: 'directory' });
  const text = { path, type: 'file', format: 'text' };
  await call('jupyter_contents_replace', { ...text, content: 'Grüße' });
  await call('jupyter_contents_replace', {
    path: 'work/pixel.bin',
    type: 'file',
    format: 'base64',
    content: bytes.toString('base64'),
  });
  assert.equal(readFileSync(join(files, path), 'utf8'), 'Grüße');
  assert.deepEqual(readFileSync(join(files, 'work/pixel.bin')), bytes);
  const read = objectOf(await call('jupyter_contents_get', { path: 'work/pixel.bin' }));
  assert.deepEqual(Buffer.from(String(read['content']), 'base64'), bytes);
  const copied = await call('jupyter_contents_create', { path: 'work', copy_from: path });
  const copy = String(objectOf(copied)['name']);
  assert.deepEqual(
    readdirSync(join(files, 'work')).sort(),
    [copy, 'notes & more.txt', 'pixel.bin'].sort(),
  );

  // Its description calls the content of a folder a text: what a client would refuse stands in the words.
  const folder = await tools.say('jupyter_contents_get', { path: 'work' });
  assert.match(folder, /content is no string/);
  for (const name of [copy, 'notes & more.txt', 'pixel.bin'])
    assert.ok(folder.includes(name), name);

  const moved = { path: 'work/pixel.bin', path_body: 'work/dot.bin' };
  await call('jupyter_contents_update', moved);
  assert.ok(existsSync(join(files, 'work/dot.bin')));
  const point = objectOf(await call('jupyter_contents_checkpoints_create', { path }));
  await call('jupyter_contents_replace', { ...text, content: 'something else' });
  const points = objectOf(await call('jupyter_contents_checkpoints_list', { path }));
  assert.deepEqual(points['items'], [point]);
  const back = { path, checkpoint_id: point['id'] };
  await call('jupyter_contents_checkpoints_create2', back);
  assert.equal(readFileSync(join(files, path), 'utf8'), 'Grüße');

  await call('jupyter_contents_delete', { path: 'work/dot.bin' });
  assert.ok(!existsSync(join(files, 'work/dot.bin')));
  assert.match(await fail('jupyter_contents_get', { path: 'work/dot.bin' }), /not_found/);

  const terminal = objectOf(await call('jupyter_terminals_create'));
  assert.deepEqual(await terminals(), [terminal['name']]);
  await call('jupyter_terminals_delete', { terminal_id: terminal['name'] });
  assert.deepEqual(await terminals(), []);

  /** What the server itself says, by its own API. */
  async function terminals(): Promise<readonly unknown[]> {
    const headers = { authorization: `token ${token}` };
    const answer = await fetch(`${own}/terminals`, { headers });
    assert.equal(answer.status, 200);
    return ((await answer.json()) as { name: string }[]).map(({ name }) => name);
  }
});
