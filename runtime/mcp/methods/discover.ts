import type { Method } from '../request/method.ts';
import type { Offer } from '../request/revision.ts';
import { capabilitiesOf, extensionsOf, instructionsOf } from '../request/server-profile.ts';

/** Tell a client what this server speaks and can do, before anything else. */
export function discover(offer: Offer): Method {
  const extensions = extensionsOf(offer);
  const result = {
    supportedVersions: offer.supported,
    capabilities: { ...capabilitiesOf(offer, true), ...(extensions && { extensions }) },
  };
  return {
    run: (_, { caller }) => ({
      kind: 'complete',
      result: { ...result, instructions: instructionsOf(offer, caller.tenant) },
      cache: { ttlMs: 300_000, scope: 'public' },
    }),
  };
}
