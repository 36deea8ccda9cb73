import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { storeWith } from '#contract/house/store';
import type { IdentityTables } from '../../../../generated/surfaces/identity/tables.ts';
import { createStore } from '../../../../runtime/store/index.ts';
import { createRegistrationRecords } from '../../../../runtime/surfaces/identity/records/registrations.ts';
import { announce } from '../../servers/announce.ts';
import { claimHashOf, idOf } from '../many-registrations.ts';

const count = Number(process.env['COUNT']);
const store = createStore({ dataDir: process.env['SERVICE_DATA_DIR'] ?? '' });
await store.open();
const place = { store: storeWith<IdentityTables>(store), tenant: 'default', now: Date.now };
const registrations = createRegistrationRecords(place);

/** Each request finds so many registrations, half of them by id and half by claim token. */
const server = createServer(async (request, response) => {
  const lookups = Number(request.url?.slice(1));
  for (let done = 0; done < lookups; done += 2) {
    const number = Math.floor(Math.random() * count);
    const one = await registrations.find(idOf(number));
    const same = await registrations.findByClaim(claimHashOf(number));
    if (one === undefined || one.id !== same?.id) throw new Error(`${idOf(number)} is not there`);
  }
  response.end('found');
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
announce(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
