import { type Register, type Registers, refusedRegistration } from './register.ts';

/** An assertion of an issuer (ID-JAG); so taken when nothing else is said. */
export const idJagType = 'urn:ietf:params:oauth:token-type:id-jag';

/** Register with what somebody vouches for, by the value of `assertion_type`; each room adds its own. */
export function assertedRegistration(ways: Registers): Register {
  return async (body, context) => {
    const { assertion_type: type = idJagType } = body;
    const way = typeof type === 'string' && Object.hasOwn(ways, type) ? ways[type] : undefined;
    if (way) return way(body, context);
    const message = 'no issuer of such assertions is trusted here';
    throw refusedRegistration('issuer_not_enabled', 400, message, {
      error_aliases: ['invalid_issuer'],
    });
  };
}
