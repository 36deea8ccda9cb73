import type { IdentityHandlers } from '../../../../generated/surfaces/identity/routes.ts';
import type { PublicKey } from '../../../../generated/surfaces/identity/types.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Publish the keys. */
export function createKeyHandlers(keys: SigningKeys): Pick<IdentityHandlers, 'getKeySet'> {
  return {
    async getKeySet() {
      // Written by `makeKey` alone, with these members.
      const published = (await keys.published()) as readonly unknown[] as PublicKey[];
      return { status: 200, body: { keys: published } };
    },
  };
}
