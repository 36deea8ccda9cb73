import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import pino from 'pino';
import { ConfigError } from '#contract/config/config';
import { readConfig } from '../../../../generated/config.ts';
import { Cosigner } from '../../../../runtime/audit/index.ts';
import { Signer } from '../../../../runtime/audit/keys/signing-key.ts';
import {
  createLogWitness,
  createWitnessAnchors,
  openCosigner,
  requireLogKeys,
  requireWitnessKey,
} from '../../../../runtime/audit/wiring/audit-witnesses.ts';
import { createStore } from '../../../../runtime/store/index.ts';

const log = pino({ level: 'silent' });
const store = createStore({ dataDir: '/nowhere' });
const { vkey: logKey } = new Signer('tools.example.com/audit', Buffer.alloc(32, 7));
const { vkey } = new Cosigner('w.example.com/witness', Buffer.alloc(32, 3));

function configOf(env: Readonly<Record<string, string>>) {
  const nothing = { providers: {}, readFile: () => '', nearest: () => '' };
  return readConfig(env, nothing).config;
}

function targets(witnesses: string): readonly string[] {
  return createWitnessAnchors(configOf({ SERVICE_AUDIT_WITNESS: witnesses })).map(
    ({ target }) => target,
  );
}

function problem(variable: string, expected: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof ConfigError, String(error));
    assert.equal(error.problems[0]?.variable, variable);
    assert.match(String(error.problems[0]?.expected), expected);
    return true;
  };
}

test('without configuration there are no witnesses, and no logs of others', () => {
  assert.deepEqual(createWitnessAnchors(configOf({})), []);
  assert.equal(createLogWitness(configOf({}), store, log), undefined);
});

test('a password in the address of a witness is not repeated', () => {
  for (const address of ['https://user:geheim@w.example.com', 'https://geheim@w.example.com']) {
    assert.throws(
      () => targets(`${vkey} ${address}`),
      (error) => error instanceof ConfigError && !error.message.includes('geheim'),
    );
  }
});

test('a witness is its verifier key and its address, and there may be several', () => {
  assert.deepEqual(targets(`${vkey} https://w.example.com/w/, ${vkey}  http://10.0.0.1:81`), [
    'witness:w.example.com/witness https://w.example.com/w',
    'witness:w.example.com/witness http://10.0.0.1:81',
  ]);
});

const wrong: Readonly<Record<string, string>> = {
  'no address': vkey,
  'the address first': `https://w.example.com ${vkey}`,
  'the key of a log': `${logKey} https://w.example.com`,
  'a credential in the address': `${vkey} https://user:password@w.example.com`,
  'another scheme': `${vkey} file:///etc/passwd`,
  'something behind it': `${vkey} https://w.example.com x`,
};
for (const [what, text] of Object.entries(wrong)) {
  test(`a witness with ${what} is refused`, () => {
    assert.throws(() => targets(text), problem('SERVICE_AUDIT_WITNESS', /verifier key/));
  });
}

test('what is watched are keys of logs', () => {
  const config = configOf({ SERVICE_AUDIT_WITNESS_LOGS: `${logKey},${vkey}` });
  const named = problem('SERVICE_AUDIT_WITNESS_LOGS', /verifier key of a log/);
  assert.throws(() => requireLogKeys(config), named);
});

test('servers that share a database share the key of their witness', () => {
  const env = {
    SERVICE_AUDIT_WITNESS_LOGS: logKey,
    SERVICE_DATABASE_URL: 'postgres://localhost/tools',
  };
  const named = problem('SERVICE_AUDIT_WITNESS_KEY', /are one witness/);
  assert.throws(() => requireWitnessKey(configOf(env)), named);
  const key = Buffer.alloc(32, 3).toString('base64');
  const config = configOf({ ...env, SERVICE_AUDIT_WITNESS_KEY: key });
  assert.match(createLogWitness(config, store, log)?.vkey() ?? '', /^localhost\/witness\+/);
});

test('the key is made once, for its owner alone, and named after the host of the log', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'witness-key-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'data');
  const config = configOf({
    SERVICE_DATA_DIR: dataDir,
    SERVICE_BASE_URL: 'https://tools.example.com:8443',
  });
  const made = openCosigner(config).vkey;
  assert.match(made, /^tools\.example\.com:8443\/witness\+/);
  assert.equal(openCosigner(config).vkey, made);
  assert.equal(statSync(join(dataDir, 'witness.key')).mode & 0o777, 0o600);
});
