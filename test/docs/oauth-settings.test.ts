import assert from 'node:assert/strict';
import test from 'node:test';
import { parseConfiguredClients } from '../../runtime/surfaces/identity/clients/configured-clients.ts';
import { parseTrustedIssuers } from '../../runtime/surfaces/identity/trust/trusted-issuers.ts';
import { blocksIn } from './documents.ts';

test('the clients and issuers of the documents can be set as they stand there', () => {
  const lists = blocksIn('json').filter(({ text }) => Array.isArray(JSON.parse(text)));
  const [clients, issuers] = lists.map(({ text }) => text);
  assert.equal(parseConfiguredClients(clients).get('nightly')?.method, 'client_secret_basic');
  const issuer = parseTrustedIssuers(issuers).get('https://login.example.com');
  assert.equal(issuer?.workloads.length, 1);
  assert.equal(issuer?.createsPeople, true);
});
