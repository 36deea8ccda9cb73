import type { FastifyInstance } from 'fastify';
import type { Environment } from '#contract/config/config';
import type { SurfaceCommand } from '#contract/surface/surface-module';
import type { Config } from '../generated/config.ts';
import * as ownPrices from '../generated/prices.ts';
import { skills as ownSkills } from '../generated/skills.ts';
import { surfaces as registry } from '../generated/surfaces.ts';
import { type Admission, createAdmission } from './admission/admission.ts';
import { createConfirm } from './admission/confirm/create-confirm.ts';
import { createIdempotency } from './admission/idempotency/create-idempotency.ts';
import { createEngines, type Engines } from './house/engines.ts';
import { enabledSurfaces, loadSurfaces, skillsOf } from './house/load-surfaces.ts';
import { readPolicy } from './house/policy.ts';
import { Prices } from './house/prices.ts';
import { createHouse } from './house/server-house.ts';
import { readSettings } from './house/settings.ts';
import { createHttpServer } from './http/server.ts';
import { createMcp, type Mcp } from './mcp/create-mcp.ts';
import { InnerCalls } from './mcp/request/inner-calls.ts';
import { createOffer, type Offer, type Source } from './offer/offer.ts';
import { partedSources } from './offer/tenant-sources.ts';
import { chooseToolMode } from './offer/tool-mode.ts';
import { Life } from './process/life.ts';
import { parseTenants } from './process/tenant/declared-tenants.ts';
import { tenantLimits } from './process/tenant/tenants.ts';
import { ToolSearch } from './search/tool-search.ts';
import { loadVendors, type Vendors } from './vendors/vendors.ts';

/** The whole service, put together and not started. */
export interface Service {
  readonly config: Config;
  /** What the operator should look at, though it can be used. */
  readonly warnings: readonly string[];
  readonly engines: Engines;
  readonly vendors: Vendors;
  readonly admission: Admission;
  /** What callers are offered, and what finds tools in it, however they are shown. */
  readonly offer: Offer & { readonly search: ToolSearch };
  readonly mcp: Mcp;
  readonly http: FastifyInstance;
  /** What surfaces do at the terminal, by the first word of the command. */
  readonly commands: Readonly<Record<string, SurfaceCommand>>;
  /** Speak for the server that listens at the configured port, in a process that does not. */
  speakForPort(): void;
  /** Starts and stops all of it but what listens. */
  readonly life: Life;
}

/** What becomes of the service once it is put together. */
export interface ServicePlan {
  /** It is started in any case: its threads may begin while the rest of it is loaded. */
  readonly isStarted?: boolean;
}

/**
 * Put the service together, with the tools, resources and prompts of `more` sources.
 *
 * @throws ConfigError
 */
export async function createService(
  env: Environment,
  more: readonly Source[] = [],
  { isStarted = false }: ServicePlan = {},
): Promise<Service> {
  const { config, warnings } = await readSettings(env);
  const engines = createEngines(config);
  if (isStarted) engines.store.prepare();
  const vendors = await loadVendors(config, env, engines);
  const prices = new Prices(ownPrices, await readPolicy(config.policyFile));
  const sources = [...vendors.sources, ...more].map((source) => prices.onTools(source));

  const toolMode = chooseToolMode(config.toolMode, enabledSurfaces(registry, config), sources);
  const house = createHouse(config, engines, vendors, { toolMode, prices, env });
  const chosen = { ...config, toolMode };
  const enabled = enabledSurfaces(registry, chosen);
  const surfaces = await loadSurfaces(enabled, house, chosen);
  house.add(surfaces);
  vendors.credentials.fill(surfaces.credentials);

  const confirm = createConfirm({ ...config, ...house, ...engines });
  house.confirm.fill(confirm);
  const declared = parseTenants(config.tenants);
  const admission = createAdmission({
    ...{ ...config, limitsOf: tenantLimits(declared) },
    ...surfaces.admission,
    ...{ confirm, audit: engines.audit, idempotency: createIdempotency(config, engines) },
  });
  const offer = createOffer({
    sources: [...surfaces.sources.map((source) => prices.onTools(source)), ...sources],
    leading: surfaces.leading,
    skills: [...skillsOf(enabled, ownSkills), ...vendors.skills],
    ...{
      admission,
      tenants: partedSources(
        house.tenants,
        vendors.providers.map(({ id }) => id),
      ),
    },
  });
  const search = new ToolSearch(offer.catalogue);
  const calls = new InnerCalls({ ...engines, ...offer });
  house.tools.fill({ ...offer, search, calls });

  const mcp = createMcp(config, { ...engines, ...offer, admission });
  const parts = { ...config, ...engines, admission, declared };
  const http = createHttpServer({
    ...parts,
    mcp: mcp.endpoint,
    routes: prices.onRoutes(surfaces.routes),
  });
  house.address.follow(http.server);
  prices.requireAllOffered();

  const { store, audit, jobs, bus, otlp, profiles } = engines;
  const life = new Life([
    [otlp ?? [], profiles ?? []].flat(),
    [vendors, store, audit, offer],
    [bus],
    surfaces.parts,
    [...mcp.parts, jobs],
  ]);
  return {
    ...{ config, warnings, engines, vendors, admission },
    ...{ offer: { ...offer, search }, mcp, http, life },
    commands: surfaces.commands,
    speakForPort: () => house.address.assume(config.port),
  };
}
