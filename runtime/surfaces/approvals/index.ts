import { bindRoutes } from '#contract/surface/surface';
import type { SurfaceModule } from '#contract/surface/surface-module';
import { approvalsRoutes } from '../../../generated/surfaces/approvals/routes.ts';
import { createHandlers } from './handlers.ts';

/** The page on which a person agrees to what an agent wants to do. */
export const surface: SurfaceModule<unknown, 'approvals' | 'pages' | 'people'> = {
  create(house) {
    return { routes: bindRoutes(approvalsRoutes, createHandlers(house)) };
  },
};
