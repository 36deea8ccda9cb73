import { bindRoutes } from '#contract/surface/surface';
import { bindJobs } from '#contract/surface/surface-jobs';
import type { SurfaceModule } from '#contract/surface/surface-module';
import { type IdentityJobs, identityJobs } from '../../../generated/surfaces/identity/jobs.ts';
import { identityRoutes } from '../../../generated/surfaces/identity/routes.ts';
import { createIdentity, type IdentityNeeds } from './create-identity.ts';
import { createHandlers } from './handlers.ts';

/** Who calls, and what they may do. */
export const surface: SurfaceModule<unknown, IdentityNeeds> = {
  create(house) {
    const identity = createIdentity(house);
    const jobs: IdentityJobs = {
      identityKeys: () => identity.signingKeys.rotate(),
    };
    return {
      routes: bindRoutes(identityRoutes, createHandlers(identity)),
      jobs: bindJobs(identityJobs, jobs),
    };
  },
};
