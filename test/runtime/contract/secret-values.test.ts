import assert from 'node:assert/strict';
import test from 'node:test';
import { isSecretName, secretIn } from '#contract/secret-values';

const secretNames = [
  'accessKeyId',
  'secretAccessKey',
  'aws_access_key_id',
  'AWS_SECRET_ACCESS_KEY',
  'aws-session-token',
  'X-Amz-Security-Token',
  'private_key',
  'privateKey',
  'google_credentials',
  'gcp_service_account_key',
  'AccountKey',
  'azure_storage_connection_string',
  'AZURE_CLIENT_SECRET',
  'SharedAccessKey',
  'clientsecret',
  'secretaccesskey',
  'mnemonic',
  'seed-phrase',
  'card_number',
  'CVC',
  'sharedAccessSignature',
  'sas_token',
  'Ocp-Apim-Subscription-Key',
  'apikey',
  'APIKey',
  'x-api-key',
  'stripe_api_key',
  'dbPassword',
  'password',
  'token',
  'access_token',
  'github_access_token',
  'Proxy-Authorization',
  'Set-Cookie',
  'webhook_signing_secret',
];
for (const name of secretNames) {
  test(`a member named ${name} holds a secret`, () => assert.equal(isSecretName(name), true));
}

const plainNames = [
  'key',
  'kid',
  'key_id',
  'keyId',
  'public_key',
  'publicKey',
  'vkey',
  'previous_vkey',
  'primary_key',
  'cache_key',
  'idempotency_key',
  'idempotencyKey',
  'private_key_id',
  'secret_name',
  'secret_ref',
  'credential_id',
  'credential_kind',
  'tokens',
  'max_tokens',
  'token_count',
  'page_token',
  'next_page_token',
  'valid_token',
  'token_type',
  'password_changed_at',
  'access',
  'keywords',
  'monkey',
  'authorization_server',
  'config_sha256',
  '',
  'schlüssel',
];
for (const name of plainNames) {
  test(`a member named ${JSON.stringify(name)} may hold anything`, () =>
    assert.equal(isSecretName(name), false));
}

// In pieces, so that nobody who looks for secrets finds one here.
const secrets: Readonly<Record<string, string>> = {
  'an AWS access key': ['AKIA', 'ABCDEFGHIJKLMNOP'].join(''),
  'a secret of an integration': ['secret', '_ABCDEFGHIJKLMNOPQRSTUVWX'].join(''),
  'a mail key': ['SG', '.ABCDEFGHIJKLMNOPQRSTUV.', 'a'.repeat(43)].join(''),
  'a Google client secret': ['GOCSPX', '-abcdefghijklmnopqrstuvwx'].join(''),
  'a Google access token': ['ya29', '.a0ABCDEFGHIJKLMNOPQRST'].join(''),
  'an Azure storage key': `AccountName=x;AccountKey=${'A'.repeat(86)}==;`,
  'an Azure client secret': ['abc8', 'Q~', 'A'.repeat(34)].join(''),
  'a URL signed for AWS': `https://b.s3.amazonaws.com/k?X-Amz-Signature=${'a1'.repeat(32)}`,
  'a URL signed for Azure': `https://a.blob.core.windows.net/c/b?sv=2024&sig=${'aB3%2B'.repeat(8)}`,
};
for (const [what, text] of Object.entries(secrets)) {
  test(`${what} is recognised in a text`, () => assert.ok(secretIn(`found ${text}`)));
}

const harmless = [
  'AccountKey=missing',
  'see ?sig=none in the guide',
  'the Q1 figures are in Q~ units',
  'secret_access_key_of_the_account_that_pays',
  'SG.Singapore',
  'Key=value',
  'f5c8a0de-1c7e-4a5b-9f4e-0c9a3f1f2a77',
  `sha256:${'0123456789abcdef'.repeat(4)}`,
  'https://example.com/?page=2&design=blue',
];
for (const text of harmless) {
  test(`${JSON.stringify(text)} is no secret`, () => assert.equal(secretIn(text), undefined));
}
