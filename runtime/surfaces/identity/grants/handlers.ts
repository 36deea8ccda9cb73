import type { CallContext } from '#contract/caller';
import type { IdentityHandlers } from '../../../../generated/surfaces/identity/routes.ts';
import type { Revocations } from '../tokens/revocations.ts';
import { type Grants, refusal } from './grant.ts';
import { jwtBearerType } from './jwt-bearer.ts';

/** Reads the proof of a key that came with a request; nothing where none came. */
export type ReadProof = (context: CallContext) => Promise<string | undefined>;

const secret = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** The token endpoint, under both of its paths. */
export function createTokenHandlers(
  grants: Grants,
  revocations: Pick<Revocations, 'requireOpen'>,
  readProof: ReadProof = async () => undefined,
): Pick<IdentityHandlers, 'exchangeToken' | 'exchangeTokenAlias'> {
  async function exchange(form: Readonly<Record<string, string>>, context: CallContext) {
    const { grant_type: type = '' } = form;
    const grant = Object.hasOwn(grants, type) ? grants[type] : undefined;
    if (!grant) {
      const known = Object.keys(grants).join(', ');
      throw refusal('unsupported_grant_type', `grant_type must be one of ${known}`);
    }
    // Before anything is used up that serves once; assertions are taken again.
    await revocations.requireOpen(type === jwtBearerType);
    const jkt = await readProof(context);
    const body = { ...(await grant({ form, context, jkt })) };
    return { status: 200, headers: secret, body } as const;
  }
  return {
    exchangeToken: ({ body, context }) => exchange(body, context),
    exchangeTokenAlias: ({ body, context }) => exchange(body, context),
  };
}
