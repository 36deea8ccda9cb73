import assert from 'node:assert/strict';
import test from 'node:test';
import { ConfigError } from '#contract/config/config';
import { readConfig } from '../../../../generated/config.ts';
import { createAuditAnchors } from '../../../../runtime/audit/wiring/audit-anchors.ts';

const files: Readonly<Record<string, string>> = { '/run/secrets/s3': 'not-a-secret\n' };

function anchorsFor(env: Readonly<Record<string, string>>) {
  const { config } = readConfig(env, {
    providers: {},
    readFile: (path) => files[path] ?? '',
    nearest: () => '',
  });
  return createAuditAnchors(config).map(({ target }) => target);
}

const bucket = {
  SERVICE_AUDIT_S3_ENDPOINT: 'https://s3.eu-central-1.amazonaws.com',
  SERVICE_AUDIT_S3_BUCKET: 'audit-copy',
  SERVICE_AUDIT_S3_ACCESS_KEY_ID: 'id',
  SERVICE_AUDIT_S3_SECRET_ACCESS_KEY_FILE: '/run/secrets/s3',
};

test('without a bucket, checkpoints go to a folder beside the data directory', () => {
  assert.deepEqual(anchorsFor({ SERVICE_DATA_DIR: '/var/lib/tools/' }), [
    'file:/var/lib/tools-anchors',
  ]);
});

test('with a bucket they go there too', () => {
  assert.deepEqual(anchorsFor({ SERVICE_AUDIT_ANCHOR_DIR: '/mnt/anchors', ...bucket }), [
    'file:/mnt/anchors',
    's3:s3.eu-central-1.amazonaws.com/audit-copy',
  ]);
});

for (const inside of ['/data', '/data/anchors', '/data/x/../..anchors', 'd/../../data/y']) {
  test(`${inside} is no place for the anchors of /data`, () => {
    const way = inside.startsWith('/') ? inside : `/var/${inside}`;
    assert.throws(
      () => anchorsFor({ SERVICE_DATA_DIR: '/data/', SERVICE_AUDIT_ANCHOR_DIR: way }),
      (error) => error instanceof ConfigError && /SERVICE_AUDIT_ANCHOR_DIR/.test(error.message),
    );
  });
}

test('a folder beside the data whose name begins like theirs is a place for anchors', () => {
  const env = { SERVICE_DATA_DIR: '/data', SERVICE_AUDIT_ANCHOR_DIR: '/data2' };
  assert.deepEqual(anchorsFor(env), ['file:/data2']);
});

for (const name of Object.keys(bucket)) {
  test(`a bucket without ${name} is refused by that name`, () => {
    const env: Record<string, string> = { ...bucket };
    delete env[name];
    const missing = name.replace('_FILE', '');
    assert.throws(
      () => anchorsFor(env),
      (error) => {
        assert.ok(error instanceof ConfigError);
        assert.deepEqual(
          error.problems.map(({ variable }) => variable),
          [missing],
        );
        assert.doesNotMatch(error.message, /not-a-secret/);
        return true;
      },
    );
  });
}
