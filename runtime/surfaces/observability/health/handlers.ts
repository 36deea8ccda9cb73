import type { ObservabilityHandlers } from '../../../../generated/surfaces/observability/routes.ts';
import type { ObservabilityTools } from '../../../../generated/surfaces/observability/tools.ts';
import { signalOf } from '../registry/signal.ts';
import type { HealthDesk } from './health-desk.ts';

/** What the routes about health do. */
export function createHealthRoutes(
  desk: HealthDesk,
): Pick<ObservabilityHandlers, 'getObservabilityHealth' | 'checkProvider'> {
  return {
    async getObservabilityHealth({ context: { caller } }) {
      return { status: 200, body: await desk.health(caller.tenant) };
    },
    async checkProvider({ parameters, context: { caller, signal } }) {
      const key = {
        tenant: caller.tenant,
        signal: signalOf(parameters.signal),
        id: parameters.id,
      };
      return { status: 200, body: await desk.check(key, signal) };
    },
  };
}

/** What the tool about health does. */
export function createHealthTools(
  desk: HealthDesk,
): Pick<ObservabilityTools, 'observabilityHealth'> {
  return { observabilityHealth: async (_, { caller }) => desk.health(caller.tenant) };
}
