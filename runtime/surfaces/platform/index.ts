import { bindRoutes, bindTools, type Surface } from '#contract/surface';
import {
  type PlatformHandlers,
  platformRoutes,
} from '../../../generated/surfaces/platform/routes.ts';
import { type PlatformTools, platformTools } from '../../../generated/surfaces/platform/tools.ts';
import type { ServiceStatusResultProvider } from '../../../generated/surfaces/platform/types.ts';
import { type Dependency, probe } from './dependency.ts';

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
}

/** Liveness, readiness, metrics and status of this process. */
export function createPlatform(options: PlatformDependencies): Surface {
  const { version, metrics, dependencies, providers } = options;
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

  return {
    routes: bindRoutes(platformRoutes, handlers),
    tools: bindTools(platformTools, tools),
  };
}
