import type { Caller } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { House } from '#contract/house/house';
import { schemaPart } from '#contract/schema/schema-part';
import { bindRoutes, bindTools } from '#contract/surface/surface';
import type { Surface, SurfaceModule } from '#contract/surface/surface-module';
import { bindPrompts, bindTemplates } from '#contract/surface/surface-offer';
import { defaultTenant, mayUseVendor } from '#contract/tenant/tenants';
import {
  type PlatformPrompts,
  platformPrompts,
} from '../../../generated/surfaces/platform/prompts.ts';
import {
  type PlatformResources,
  platformTemplates,
} from '../../../generated/surfaces/platform/resources.ts';
import {
  type PlatformHandlers,
  platformRoutes,
} from '../../../generated/surfaces/platform/routes.ts';
import { type PlatformTools, platformTools } from '../../../generated/surfaces/platform/tools.ts';
import { probe } from './dependency.ts';
import { toolPage } from './tool-page.ts';

type Needs = 'version' | 'metrics' | 'readiness' | 'providers' | 'tools' | 'tenants';

/** Liveness, readiness, metrics and status of this process, and what helps to find its tools. */
export const surface: SurfaceModule<unknown, Needs> = { create };

function create(house: Pick<House, Needs>): Surface {
  const { version, metrics, readiness, tools: shelf } = house;
  const providersOf = ({ tenant }: Caller) =>
    house.providers.filter(({ id }) => mayUseVendor(house.tenants.find(tenant), id));
  const started = performance.now();

  const handlers: PlatformHandlers = {
    async getHealth() {
      return { status: 200, body: { status: 'alive', version } };
    },
    async getReadiness() {
      const checks = await Promise.all(readiness.checks().map((check) => probe(check)));
      return checks.every(({ ok, optional }) => ok || optional)
        ? { status: 200, body: { status: 'ready', version, checks } }
        : { status: 503, body: { status: 'unavailable', version, checks } };
    },
    async getMetrics({ accept, context }) {
      // They count what all tenants do, which none of them has to know.
      if (context.caller.tenant !== defaultTenant) {
        throw new ServiceError('not_found', 404, 'metrics are at the address of the server itself');
      }
      const { contentType, text } = await metrics.expose(accept);
      return { status: 200, headers: { 'content-type': contentType }, body: text };
    },
  };

  const tools: PlatformTools = {
    async serviceStatus(_, { caller }) {
      const uptime = Math.floor((performance.now() - started) / 1000);
      return { version, uptime_seconds: uptime, providers: providersOf(caller) };
    },
  };

  const prompts: PlatformPrompts = {
    completeUseToolsProvider: async (value, { caller }) =>
      beginning(
        value,
        providersOf(caller).map(({ id }) => id),
      ),
  };

  /** A tool that a caller can use or be given. */
  const seenTool = async (name: string, caller: Caller) => {
    const definition = await shelf.definition(name, caller.tenant);
    return definition && shelf.seenBy(caller, definition);
  };

  const resources: PlatformResources = {
    async toolPage({ name }, { caller }) {
      const definition = await seenTool(name, caller);
      return definition && toolPage(definition);
    },
    async toolArguments({ name, path }, { caller }) {
      const isSeen = (await seenTool(name, caller)) !== undefined;
      const whole = isSeen ? await shelf.wholeInput(name, caller.tenant) : undefined;
      const part = whole && schemaPart(whole, path);
      if (typeof part === 'string') {
        throw new ServiceError('invalid_arguments', 400, `${name}: ${part}`);
      }
      return part && JSON.stringify(part, null, 2);
    },
    completeToolArgumentsName: async (value, { caller }) =>
      beginning(value, shelf.names(caller.tenant)),
    completeToolPageName: async (value, { caller }) => beginning(value, shelf.names(caller.tenant)),
  };

  return {
    routes: bindRoutes(platformRoutes, handlers),
    tools: bindTools(platformTools, tools),
    prompts: bindPrompts(platformPrompts, prompts),
    resourceTemplates: bindTemplates(platformTemplates, resources),
  };
}

function beginning(value: string, names: Iterable<string>): string[] {
  return [...names].filter((name) => name.startsWith(value));
}
