import assert from 'node:assert/strict';
import test from 'node:test';
import { hosted } from '../hosted.ts';

const misuses: readonly (readonly [string[], RegExp])[] = [
  [[], /audit takes one of verify, export, proof, checkpoint, succeed, vkey, rotate, witness-vkey/],
  [['clear'], /audit takes one of/],
  [['constructor'], /audit takes one of/],
  [['export'], /audit export takes the folder/],
  [['proof'], /audit proof takes the sequence number/],
  [['proof', 'one'], /expected a whole number, found "one"/],
  [['succeed'], /audit succeed takes the reason/],
  [['proof', '1', '2', '3'], /audit proof takes the sequence number/],
  [['proof', '1', '-2'], /unknown option|Unknown option/],
  [['export', 'a', 'b'], /audit export takes the folder/],
  [['checkpoint', '5'], /audit checkpoint takes nothing more, found "5"/],
  [['vkey', 'all'], /audit vkey takes nothing more, found "all"/],
  [['witness-vkey', 'mine'], /audit witness-vkey takes nothing more, found "mine"/],
  [['rotate', 'now'], /audit rotate takes nothing more, found "now"/],
  [['verify', 'nowhere'], /needs a verifier key/],
  [['verify', 'nowhere', 'key'], /there is no nowhere/],
  [['verify', import.meta.dirname, 'key'], /expected a verifier key/],
];
for (const [words, message] of misuses) {
  test(`"audit ${words.map((word) => word.split('/').at(-1)).join(' ')}" is misuse and exits with 2`, async () => {
    const { code, stdout, stderr } = await hosted(['audit', ...words], {
      SERVICE_PROVIDER: 'osv',
    });
    assert.equal(code, 2, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, message);
    assert.equal(stderr.trimEnd().split('\n').length, 2, 'the line, and where to find help');
  });
}

test('without a log there is nothing to verify', async () => {
  const { code, stderr } = await hosted(['audit', 'verify'], { SERVICE_PROVIDER: 'osv' });
  assert.equal(code, 1);
  assert.match(stderr, /there is no audit log in .*: the server makes one when it starts/);
});
