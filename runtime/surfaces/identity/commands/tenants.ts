import type { SurfaceCommand } from '#contract/surface/surface-module';
import { endTenant } from '../records/end-tenant.ts';
import type { TenantRooms } from '../tenant-rooms.ts';
import { usage } from './development-token.ts';
import { operator } from './operator.ts';

/** A token that was asked for before, and is minted only now, is revoked as well; in milliseconds. */
const lateMs = 5000;

/** List the tenants, and end all that one of them has given. */
export function tenantsCommand(rooms: TenantRooms): SurfaceCommand {
  return async ([action, id, ...rest]) => {
    if (rest.length === 0 && action === 'list' && id === undefined) {
      return [...rooms]
        .map(([name, { identity }]) => line(name, identity.addresses.base()))
        .join('\n');
    }
    const room = id === undefined ? undefined : rooms.get(id);
    if (rest.length === 0 && action === 'revoke' && id !== undefined) {
      if (!room) throw usage(`there is no tenant ${JSON.stringify(id.slice(0, 80))}`);
      const { place, revocations, outbox } = room.identity;
      const notBefore = place.now() + lateMs;
      const { registrations } = await endTenant(place, notBefore, (ended, tx) => {
        const note = { action: 'TENANT_REVOKED', actor: operator, subject: id } as const;
        return outbox.add({ ...note, payload: ended }, tx);
      });
      await revocations.follow();
      return `${id} has ended: every token, consent and session, and ${registrations} registrations`;
    }
    throw usage('tenants takes one of: list, revoke ID');
  };
}

function line(id: string, base: string): string {
  return `${id}  ${base}`;
}
