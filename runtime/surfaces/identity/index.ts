import { bindRoutes } from '#contract/surface/surface';
import { bindJobs } from '#contract/surface/surface-jobs';
import type { SurfaceModule } from '#contract/surface/surface-module';
import type { IdentityConfig } from '../../../generated/surfaces/identity/config.ts';
import { type IdentityJobs, identityJobs } from '../../../generated/surfaces/identity/jobs.ts';
import { identityRoutes } from '../../../generated/surfaces/identity/routes.ts';
import { createIdentity, type IdentityNeeds } from './create-identity.ts';
import { createHandlers } from './handlers.ts';

/** Who calls, and what they may do. */
export const surface: SurfaceModule<IdentityConfig, IdentityNeeds> = {
  create(house, config) {
    const identity = createIdentity(house, config);
    const jobs: IdentityJobs = {
      identityKeys: () => identity.signingKeys.rotate(),
      identityMail: (job) => identity.people.mail.run(job),
    };
    return {
      routes: bindRoutes(identityRoutes, createHandlers(identity, house)),
      jobs: bindJobs(identityJobs, jobs),
    };
  },
};
