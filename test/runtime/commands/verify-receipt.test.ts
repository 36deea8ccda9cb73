import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { verifyReceipts } from '../../../runtime/commands/audit/verify-receipt.ts';
import { UsageError } from '../../../runtime/commands/command.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';

function verify(t: TestContext, text: string): { readonly code: number; readonly told: string } {
  const file = join(temporaryDirectory(t), 'receipt.json');
  writeFileSync(file, text);
  let told = '';
  const { mock } = t.mock.method(process.stdout, 'write', (chunk: string) => {
    told += chunk;
    return true;
  });
  try {
    return { code: verifyReceipts(file, undefined), told };
  } finally {
    mock.restore();
  }
}

const receipt = { id: 'pay_1', amount: '100', asset: 'usd', network: 'card', payer: 'p' };

test('a receipt has no line of its own in what is printed of it, and no control characters', (t) => {
  const bad = '\n\u001b[32mverified\u009b\u2028\u202e';
  const value = { ...receipt, operation: `GET /${bad}`, [`op${bad}`]: bad, payer: { toString: 1 } };
  const { code, told } = verify(t, JSON.stringify(value));
  assert.equal(code, 1);
  assert.doesNotMatch(told, /^\S*verified/m);
  assert.doesNotMatch(told.replaceAll('\n', ''), /[\p{C}\u2028\u2029]/u);
  assert.match(told, /for GET \/\\u000a\\u001b\[32mverified\\u009b\\u2028\\u202e$/m);
  assert.match(told, /^not proven {2}op\\u000a/m);
});

test('a receipt says that its amount is in the smallest units', (t) => {
  const { told } = verify(t, JSON.stringify(receipt));
  assert.match(told, /^receipt +pay_1: 100 smallest units of usd on card from p /m);
});

test('a receipt with a member that comes twice is refused: another reader sees another one', (t) => {
  const text = `{"amount":"999999",${JSON.stringify(receipt).slice(1)}`;
  const isTold = (error: unknown) =>
    error instanceof UsageError && /each member once, but "amount" comes twice/.test(error.message);
  assert.throws(() => verify(t, text), isTold);
});
