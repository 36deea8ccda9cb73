import { ServiceError } from '#contract/errors';
import { defaultTenant } from '#contract/tenant/tenants';
import type { ObservabilityHandlers } from '../../../../generated/surfaces/observability/routes.ts';
import type { ObservabilityTools } from '../../../../generated/surfaces/observability/tools.ts';
import { changeOf } from '../registry/handlers.ts';
import type { CollectorDesk } from './collector.ts';

type CollectorRoutes = Pick<ObservabilityHandlers, 'generateCollector' | 'applyCollector'>;

/** What the routes of the collector do. */
export function createCollectorRoutes(desk: CollectorDesk): CollectorRoutes {
  return {
    async generateCollector({ context: { caller } }) {
      return { status: 200, body: await desk.preview(ownerOf(caller.tenant)) };
    },
    async applyCollector({ body, context }) {
      const tenant = ownerOf(context.caller.tenant);
      return { status: 200, body: await desk.apply(tenant, body ?? {}, changeOf(context)) };
    },
  };
}

type CollectorTools = Pick<
  ObservabilityTools,
  'observabilityGenerateCollectorConfig' | 'observabilityApplyCollectorConfig'
>;

/** What the tools of the collector do. */
export function createCollectorTools(desk: CollectorDesk): CollectorTools {
  return {
    observabilityGenerateCollectorConfig: async (_, { caller }) =>
      desk.preview(ownerOf(caller.tenant)),
    observabilityApplyCollectorConfig: async (args, context) =>
      desk.apply(ownerOf(context.caller.tenant), args, changeOf(context)),
  };
}

/**
 * There is one collector, that of the server itself.
 *
 * @throws ServiceError `forbidden`
 */
function ownerOf(tenant: string): string {
  if (tenant === defaultTenant) return tenant;
  const message = 'the collector is configured at the address of the server itself';
  throw new ServiceError('forbidden', 403, message);
}
