import type { IdentityHandlers } from '../../../../generated/surfaces/identity/routes.ts';
import { type ApplyParts, applyEvent } from './apply-event.ts';
import { type EventParts, EventRefused, verifyEvent } from './security-event.ts';

/** Takes events of issuers (RFC 8935); answers when what follows of them is durable. */
export function createEventHandlers(
  parts: EventParts & ApplyParts,
): Pick<IdentityHandlers, 'takeEvent'> {
  return {
    async takeEvent({ body, context }) {
      try {
        const type = String(context.http?.headers['content-type'] ?? 'nothing');
        if (!/^application\/secevent\+jwt *(;|$)/i.test(type)) {
          const message = `Content-Type must be application/secevent+jwt, but ${type.slice(0, 80)} came`;
          throw new EventRefused('invalid_request', message);
        }
        await applyEvent(await verifyEvent((body ?? '').trim(), parts), parts);
        return { status: 202 };
      } catch (error) {
        if (!(error instanceof EventRefused)) throw error;
        return { status: 400, body: { err: error.err, description: error.message } };
      }
    },
  };
}
