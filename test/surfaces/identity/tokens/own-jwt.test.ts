import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import test from 'node:test';
import { SignJWT } from 'jose';
import { InvalidToken } from '../../../../runtime/surfaces/identity/tokens/access-token.ts';
import { signCompactJws } from '../../../../runtime/surfaces/identity/tokens/compact-jws.ts';
import {
  createSignatureMemory,
  KnownSignatures,
} from '../../../../runtime/surfaces/identity/tokens/known-signatures.ts';
import {
  verifyOwnJws,
  verifyOwnJwt,
} from '../../../../runtime/surfaces/identity/tokens/verify-jwt.ts';

// Each check of an own token by itself: elsewhere another one would refuse the same token.

const now = 1_800_000_000_000;
const seconds = now / 1000;
const issuer = 'https://tools.example.com';
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const known = { kid: 'k1', alg: 'ES256', key: pair.publicKey, public: {} };
const keys = { find: async (kid: string) => (kid === 'k1' ? known : undefined) };
const header = { typ: 'at+jwt', kid: 'k1' };
const claims = {
  ...{ iss: issuer, aud: issuer, sub: 'reg_1', jti: 'j1' },
  ...{ iat: seconds, exp: seconds + 3600 },
};

function verify(token: string, takesExpired = false) {
  return verifyOwnJwt(token, { keys, types: ['at+jwt'], issuer, now, takesExpired });
}

const signed = (more: object = {}, head: object = {}, key = pair.privateKey) =>
  signCompactJws({ ...header, ...head }, { ...claims, ...more }, key);

test('what this server has signed is taken, and another library reads and writes the same', async () => {
  assert.deepEqual(await verify(signed()), claims);
  const theirs = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', ...header })
    .sign(pair.privateKey);
  assert.deepEqual(await verify(theirs), claims);
});

for (const [what, token, why] of [
  ['of another type', signed({}, { typ: 'agent-identity+jwt' }), /another kind/],
  ['an event', signed({}, { typ: 'secevent+jwt' }), /another kind/],
  ['of an unknown key', signed({}, { kid: 'k2' }), /not signed with a key of this server/],
  ['with another algorithm', signed({}, { alg: 'HS256' }), /not signed with a key of this server/],
  ['without one', signed({}, { alg: 'none' }), /not signed with a key of this server/],
  ['with demands', signed({}, { crit: ['b64'] }), /extensions/],
  ['signed by another', signed({}, {}, other.privateKey), /not valid/],
  ['of another issuer', signed({ iss: `${issuer}.evil` }), /not valid/],
  ['without an audience', signed({ aud: undefined }), /not valid/],
  ['without an id', signed({ jti: undefined }), /not valid/],
  ['with a time that is text', signed({ exp: 'never' }), /not valid/],
  ['not valid yet', signed({ nbf: seconds + 61 }), /not valid/],
  ['expired', signed({ exp: seconds - 60 }), /expired/],
  ['not signed at all', signed().replace(/[^.]+$/, ''), /compact form/],
  ['with a longer signature', `${signed()}AAAA`, /not valid/],
  ['with spaces', ` ${signed()}`, /compact form/],
  ['no claims', signed().replace(/\..*\./, '.W10.'), /compact form/],
  ['too long', signed({ sub: 'x'.repeat(8192) }), /longer than 8192/],
] as const) {
  test(`a token ${what} is refused`, async () => {
    await assert.rejects(verify(token), (error) => {
      assert.ok(error instanceof InvalidToken, String(error));
      assert.match(error.message, why);
      return true;
    });
  });
}

test('one that has expired is taken by whoever only wants to know whose it was, within the skew by all', async () => {
  assert.equal((await verify(signed({ exp: seconds - 7200 }), true)).sub, 'reg_1');
  assert.equal((await verify(signed({ exp: seconds - 59 }))).sub, 'reg_1');
});

/** Verify a token with the help of what is remembered. */
function verifyAgain(token: string, signatures: KnownSignatures, more: object = {}) {
  const read = signatures.read(token);
  assert.ok(read);
  const isSigned = (key: KeyObject) => signatures.isSigned(read, key);
  return verifyOwnJws(read.jws, { keys, types: ['at+jwt'], issuer, now, isSigned, ...more });
}

function isKnown(token: string, signatures: KnownSignatures): boolean {
  const read = signatures.read(token);
  return read !== undefined && signatures.knows(read);
}

test('a signature that is known makes nothing else of its token pass', async () => {
  const signatures = new KnownSignatures(createSignatureMemory(), 'default');
  const token = signed();
  const again = (more?: object) => verifyAgain(token, signatures, more);
  const find = (found?: typeof known) => ({ keys: { find: async () => found } });
  for (let times = 0; times < 3; times++) assert.deepEqual(await again(), claims);
  assert.ok(isKnown(token, signatures));
  const forged = `${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(86)}`;
  for (let times = 0; times < 2; times++) {
    await assert.rejects(verifyAgain(forged, signatures), /not valid/);
  }
  assert.equal(isKnown(forged, signatures), false);
  await assert.rejects(again({ now: now + 3_660_000 }), /expired/);
  await assert.rejects(again({ types: ['other+jwt'] }), /another kind/);
  await assert.rejects(again({ issuer: `${issuer}.evil` }), /not valid/);
  await assert.rejects(again(find()), /not signed with a key of this server/);
  await assert.rejects(again(find({ ...known, key: other.publicKey })), /not valid/);
  assert.deepEqual(await again(), claims);
});

test('a signature that one tenant knows is verified by another one', async () => {
  const memory = createSignatureMemory();
  const mine = new KnownSignatures(memory, 'a');
  const theirs = new KnownSignatures(memory, 'b');
  const token = signed();
  await verifyAgain(token, mine);
  assert.ok(isKnown(token, mine));
  assert.equal(isKnown(token, theirs), false);
});
