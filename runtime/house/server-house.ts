import { readFileSync } from 'node:fs';
import { type Environment, readSecret } from '#contract/config/config';
import type { House } from '#contract/house/house';
import type { ToolMode } from '#contract/house/offered-tools';
import type { Check } from '#contract/house/readiness';
import type { Config } from '../../generated/config.ts';
import { scopes } from '../../generated/scopes.ts';
import { clientForms } from '../mcp/profiles/client-forms.ts';
import { createPages } from '../pages/index.ts';
import { ListeningAddress } from '../process/own-address.ts';
import { hostsOf, parseTenants } from '../process/tenant/declared-tenants.ts';
import { createTenants } from '../process/tenant/tenants.ts';
import { version } from '../process/version.ts';
import { openSandbox } from '../sandbox/open-sandbox.ts';
import { vendorsAmong } from '../vendors/tenant-vendors.ts';
import type { Vendors } from '../vendors/vendors.ts';
import { ConfirmShelf } from './confirm-shelf.ts';
import type { Engines } from './engines.ts';
import type { LoadedSurfaces } from './load-surfaces.ts';
import { PeopleShelf } from './people-shelf.ts';
import type { Prices } from './prices.ts';
import { SignerShelf } from './signer-shelf.ts';
import { withPrices } from './spending-consent.ts';
import { ToolShelf } from './tool-shelf.ts';

/** The house of this server. What is made after the surfaces finds its place in it. */
export interface ServerHouse extends House {
  readonly tools: ToolShelf;
  readonly people: PeopleShelf;
  readonly confirm: ConfirmShelf;
  readonly address: ListeningAddress;
  /** Take the jobs, checks and metrics of surfaces in, and the people who sign in there. */
  add(surfaces: Pick<LoadedSurfaces, 'jobs' | 'checks' | 'metrics' | 'people' | 'signer'>): void;
}

/** What the operator has chosen besides the settings. */
export interface HouseRules {
  readonly toolMode: ToolMode;
  readonly prices: Prices;
  readonly env: Environment;
}

/** Put the house together from the engines behind it. */
export function createHouse(
  config: Pick<
    Config,
    | 'contact'
    | 'baseUrl'
    | 'mcpPath'
    | 'host'
    | 'nodeEnv'
    | 'tenants'
    | 'provider'
    | 'surfaces'
    | 'dataDir'
  >,
  { metrics, feed, store, jobs, audit, bus, ...engines }: Engines,
  vendors: Pick<Vendors, 'statuses' | 'connectable'>,
  { toolMode, prices, env }: HouseRules,
): ServerHouse {
  const declared = parseTenants(config.tenants);
  const address = new ListeningAddress({ ...config, hosts: hostsOf(declared) });
  const people = new PeopleShelf();
  const signer = new SignerShelf();
  const tenants = createTenants(declared, address, (names) => vendorsAmong(names, config));
  const checks: Check[] = [
    { name: 'store', check: () => store.check() },
    { name: 'audit', check: () => audit.isReady() },
    {
      name: 'bus',
      check: async () => bus.health().state === 'ok',
      isOptional: !config.surfaces.bus.required,
    },
  ];
  return {
    ...engines,
    ...{
      metrics,
      ownTelemetry: feed,
      dataDir: config.dataDir,
      store,
      jobs,
      audit,
      bus,
      version,
      toolMode,
      prices,
      openSandbox,
    },
    scopes: withPrices(scopes, prices.set),
    isProduction: config.nodeEnv === 'production',
    contact: config.contact,
    now: Date.now,
    secretOf: (name) => readSecret(name, env, (path) => readFileSync(path, 'utf8')),
    ownPort: () => address.port,
    loadBrowserGate: async () => (await import('../edge/maker.ts')).gateMaker,
    readiness: { checks: () => checks },
    address,
    tenants,
    pages: createPages({
      key: () => engines.keys('page form'),
      addressOf: (tenant) => tenants.find(tenant)?.address ?? address,
    }),
    witness: audit.witness,
    providers: vendors.statuses,
    connectable: vendors.connectable,
    tools: new ToolShelf(),
    people,
    signer,
    confirm: new ConfirmShelf(),
    forms: clientForms,
    add(surfaces) {
      people.fill(surfaces.people);
      signer.fill(surfaces.signer);
      checks.push(...surfaces.checks);
      for (const gauge of surfaces.metrics) metrics.gauge(gauge);
      for (const job of surfaces.jobs) jobs.define(job);
    },
  };
}
