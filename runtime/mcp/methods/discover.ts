import { serverProfile } from '../server-profile.ts';
import type { Method } from './method.ts';

/** Tell a client what this server speaks and can do, before anything else. */
export function discover(supportedVersions: readonly string[]): Method {
  const { capabilities, instructions } = serverProfile;
  const result = { supportedVersions, capabilities, instructions };
  return {
    run: () => ({ kind: 'complete', result, cache: { ttlMs: 300_000, scope: 'public' } }),
  };
}
