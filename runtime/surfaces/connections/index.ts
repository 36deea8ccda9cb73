import { configuredKeys } from '#contract/config/secret-key';
import type { House } from '#contract/house/house';
import { storeWith } from '#contract/house/store';
import { bindRoutes } from '#contract/surface/surface';
import { bindJobs } from '#contract/surface/surface-jobs';
import type { SurfaceModule } from '#contract/surface/surface-module';
import type { ConnectionsConfig } from '../../../generated/surfaces/connections/config.ts';
import { createConnectionsEvents } from '../../../generated/surfaces/connections/events.ts';
import { connectionsJobs } from '../../../generated/surfaces/connections/jobs.ts';
import { connectionsRoutes } from '../../../generated/surfaces/connections/routes.ts';
import type { ConnectionsTables } from '../../../generated/surfaces/connections/tables.ts';
import { connectionsCommand } from './commands.ts';
import { createConnectAccount } from './connect-account.ts';
import { createPersonCredentials } from './credentials/person-credentials.ts';
import { Renewal } from './credentials/renewal.ts';
import { createDisconnect, tellVendor } from './disconnect.ts';
import { writeNotes } from './notes.ts';
import { createPageHandlers } from './pages/handlers.ts';
import { createPageOwners } from './pages/page-owners.ts';
import { createAttemptRecords } from './records/attempts.ts';
import { createConnectionRecords } from './records/connections.ts';
import { resealAll } from './sealing/reseal.ts';
import { createSealer } from './sealing/sealer.ts';

type Needs =
  | 'audit'
  | 'connectable'
  | 'jobs'
  | 'keys'
  | 'log'
  | 'now'
  | 'outbound'
  | 'pages'
  | 'people'
  | 'scopes'
  | 'store'
  | 'tenants';

/** Where people connect their own accounts at vendors. */
export const surface: SurfaceModule<ConnectionsConfig, Needs> = {
  create(house: Pick<House, Needs>, config) {
    const { keys, now } = house;
    const configured = configuredKeys('SERVICE_CONNECTIONS_KEY', config.key);
    const store = storeWith<ConnectionsTables>(house.store);
    const parts = {
      ...house,
      records: createConnectionRecords(store, now),
      attempts: createAttemptRecords(store, now),
      // What was sealed before the operator has set keys still opens.
      sealer: createSealer(() => [...configured, keys('connections')]),
      vendors: new Map(house.connectable.map((vendor) => [vendor.id, vendor])),
      owners: createPageOwners(house),
    };
    const { records, sealer, attempts } = parts;
    const disconnect = createDisconnect(parts);
    const connect = createConnectAccount(parts);
    return {
      routes: bindRoutes(connectionsRoutes, createPageHandlers({ ...parts, connect, disconnect })),
      jobs: bindJobs(connectionsJobs, {
        connectionsExpiry: () => attempts.sweep(),
        connectionsReseal: ({ signal }) => resealAll(parts, signal),
        connectionsRevoke: tellVendor(parts),
        connectionsNote: writeNotes(createConnectionsEvents(house.audit), house.audit),
      }),
      checks: [{ name: 'connections', check: () => records.isAnySealedWith(sealer.keyIds().all) }],
      commands: { connections: connectionsCommand(parts, disconnect) },
      credentials: createPersonCredentials({ ...parts, renewal: new Renewal(parts) }),
    };
  },
};
