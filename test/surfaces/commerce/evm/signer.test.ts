import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { type Hex, hashTypedData, recoverTypedDataAddress, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  exactPermitTypes,
  uptoPermitTypes,
} from '../../../../runtime/surfaces/commerce/evm/permit-abi.ts';
import { authorizationTypes } from '../../../../runtime/surfaces/commerce/evm/token-abi.ts';
import { signerOfTyped } from '../../../../runtime/surfaces/commerce/evm/typed-data/signer.ts';
import {
  type Message,
  type Types,
  typedHash,
} from '../../../../runtime/surfaces/commerce/evm/typed-data/typed-hash.ts';

// What is made here for orders to pay alone, beside what makes it for everything.

const account = privateKeyToAccount(`0x${'7'.repeat(64)}`);
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const domain = {
  ...{ name: 'USDC', version: '2', chainId: 84532 },
  verifyingContract: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
} as const;

const mistyped = account.address.replace(/[a-f]/, (letter) => letter.toUpperCase());
const addresses = fc.oneof(
  { weight: 20, arbitrary: bytes(20) },
  { weight: 4, arbitrary: fc.constantFrom(account.address, domain.verifyingContract) },
  { weight: 1, arbitrary: fc.constant(mistyped) },
);
const most = 2n ** 256n - 1n;
const numbers = fc.oneof(fc.constantFrom(0n, 1n, most), fc.bigInt({ min: 0n, max: most }));
const permit = {
  permitted: fc.record({ token: addresses, amount: numbers }),
  ...{ spender: addresses, nonce: numbers, deadline: numbers },
};
const witness = { to: addresses, validAfter: numbers };
const authorization = fc.record({
  ...{ from: addresses, to: addresses, value: numbers },
  ...{ validAfter: numbers, validBefore: numbers, nonce: bytes(32) },
});

type Kind = readonly [Types, string, fc.Arbitrary<Message>];
const kinds: Readonly<Record<string, Kind>> = {
  'EIP-3009': [authorizationTypes, 'TransferWithAuthorization', authorization],
  'Permit2, exact': [
    exactPermitTypes,
    'PermitWitnessTransferFrom',
    fc.record({ ...permit, witness: fc.record(witness) }),
  ],
  'Permit2, upto': [
    uptoPermitTypes,
    'PermitWitnessTransferFrom',
    fc.record({ ...permit, witness: fc.record({ ...witness, facilitator: addresses }) }),
  ],
};

for (const [name, [types, primaryType, messages]] of Object.entries(kinds)) {
  test(`${name}: the signer is the one whom viem finds, whatever is signed`, async () => {
    const hash = typedHash(types, primaryType);
    const seen = new Set<boolean>();
    const isSame = fc.asyncProperty(messages, async (message) => {
      const typed = { domain, types, primaryType, message } as never;
      const digest = tried(() => hashTypedData(typed));
      const signature = await account.sign({ hash: digest ?? `0x${'1'.repeat(64)}` });
      const found = signerOfTyped(domain, hash, message, signature);
      assert.equal(found?.toLowerCase(), digest && account.address.toLowerCase());
      seen.add(digest === undefined);
    });
    await fc.assert(isSame, { numRuns: 60 });
    assert.equal(seen.size, 2, 'some were refused, and some were not');
  });
}

test('a signature is taken or refused as viem does, however it was changed', async () => {
  const hash = typedHash(authorizationTypes, 'TransferWithAuthorization');
  const edges = [0n, 1n, 2n, order / 2n, order - 1n, order, order + 1n, 2n ** 256n - 1n];
  const changed = fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: most }));
  const kept = fc.constant(undefined);
  const changes = fc.record({
    r: fc.oneof({ weight: 3, arbitrary: kept }, changed),
    s: fc.oneof({ weight: 3, arbitrary: kept }, fc.constant('high' as const), changed),
    v: fc.oneof({ weight: 3, arbitrary: kept }, fc.constantFrom(0, 1, 2, 3, 26, 27, 28, 29, 255)),
  });
  const seen = new Set<boolean | undefined>();
  const isSame = fc.asyncProperty(authorization, changes, async (shown, { r, s, v }) => {
    const message = { ...shown, from: account.address, to: domain.verifyingContract };
    const typed = { domain, types: authorizationTypes, message } as const;
    const primaryType = 'TransferWithAuthorization' as const;
    const signed = await account.signTypedData({ ...typed, primaryType } as never);
    const given = BigInt(`0x${signed.slice(66, 130)}`);
    const parts = [
      toHex(r ?? BigInt(signed.slice(0, 66)), { size: 32 }).slice(2),
      toHex(s === 'high' ? order - given : (s ?? given), { size: 32 }).slice(2),
      toHex(v ?? Number(`0x${signed.slice(130)}`), { size: 1 }).slice(2),
    ];
    const signature: Hex = `0x${parts.join('')}`;
    const theirs = await recoverTypedDataAddress({
      ...typed,
      primaryType,
      signature,
    } as never).catch(() => undefined);
    const found = signerOfTyped(domain, hash, message, signature);
    assert.equal(found?.toLowerCase(), theirs?.toLowerCase());
    seen.add(theirs && theirs === account.address);
  });
  await fc.assert(isSame, { numRuns: 200 });
  assert.equal(seen.size, 3, 'the payer, somebody else, and nobody');
});

function bytes(length: number): fc.Arbitrary<Hex> {
  return fc.uint8Array({ minLength: length, maxLength: length }).map((value) => toHex(value));
}

function tried<Result>(make: () => Result): Result | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
