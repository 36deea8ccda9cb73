import { bindRoutes, bindTools, type Surface } from '#contract/surface/surface';
import { bindPrompts, bindTemplates } from '#contract/surface/surface-offer';
import type { ToolDefinition } from '#contract/tool';
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
import type { ServiceStatusResultProvider } from '../../../generated/surfaces/platform/types.ts';
import { type Dependency, probe } from './dependency.ts';
import { toolPage } from './tool-page.ts';

/** An enabled provider, as `service_status` reports it. */
export type ProviderStatus = ServiceStatusResultProvider;

/** What the surface needs of the rest of the server. */
export interface PlatformDependencies {
  readonly version: string;
  readonly metrics: {
    expose(accept: string): Promise<{ readonly contentType: string; readonly text: string }>;
  };
  /** What has to work before this process can serve. */
  readonly dependencies: readonly Dependency[];
  readonly providers: readonly ProviderStatus[];
  readonly tools: ToolShelf;
}

/** Every tool that can be called, listed or not. */
export interface ToolShelf {
  names(): Iterable<string>;
  find(name: string): Promise<ToolDefinition | undefined>;
}

/** Liveness, readiness, metrics and status of this process, and what helps to find its tools. */
export function createPlatform(options: PlatformDependencies): Surface {
  const { version, metrics, dependencies, providers, tools: shelf } = options;
  const started = performance.now();

  const handlers: PlatformHandlers = {
    async getHealth() {
      return { status: 200, body: { status: 'alive', version } };
    },
    async getReadiness() {
      const checks = await Promise.all(dependencies.map((dependency) => probe(dependency)));
      return checks.every(({ ok }) => ok)
        ? { status: 200, body: { status: 'ready', version, checks } }
        : { status: 503, body: { status: 'unavailable', version, checks } };
    },
    async getMetrics({ accept }) {
      const { contentType, text } = await metrics.expose(accept);
      return { status: 200, headers: { 'content-type': contentType }, body: text };
    },
  };

  const tools: PlatformTools = {
    async serviceStatus() {
      const uptime = Math.floor((performance.now() - started) / 1000);
      return { version, uptime_seconds: uptime, providers };
    },
  };

  const prompts: PlatformPrompts = {
    completeUseToolsProvider: async (value) =>
      beginning(
        value,
        providers.map(({ id }) => id),
      ),
  };

  const resources: PlatformResources = {
    async toolPage({ name }) {
      const definition = await shelf.find(name);
      return definition && toolPage(definition);
    },
    completeToolPageName: async (value) => beginning(value, shelf.names()),
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
