import type { ObservabilityHandlers } from '../../../../generated/surfaces/observability/routes.ts';
import type { ObservabilityTools } from '../../../../generated/surfaces/observability/tools.ts';
import { limits } from '../query/numbers.ts';
import type { AlertDesk } from './alert-desk.ts';

/** What the route about alerts does. */
export function createAlertRoutes(desk: AlertDesk): Pick<ObservabilityHandlers, 'listAlerts'> {
  return {
    async listAlerts({ parameters: { state = 'all', alert }, context: { caller } }) {
      return { status: 200, body: await desk.list(caller.tenant, { state, alert }) };
    },
  };
}

/** What the tool about alerts does: what is well is left out, unless it is asked for. */
export function createAlertTools(desk: AlertDesk): Pick<ObservabilityTools, 'observabilityAlerts'> {
  return {
    observabilityAlerts: async (
      { state = 'active', alert, maxBytes = limits.defaultBytes },
      { caller },
    ) => desk.list(caller.tenant, { state, alert, maxBytes }),
  };
}
