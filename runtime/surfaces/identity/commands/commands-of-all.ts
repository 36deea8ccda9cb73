import type { SurfaceCommand } from '#contract/surface/surface-module';
import { defaultTenant } from '#contract/tenant/tenants';
import type { TenantRoom, TenantRooms } from '../tenant-rooms.ts';
import { usage } from './development-token.ts';
import { tenantsCommand } from './tenants.ts';

/** What the operator of all tenants can have done. */
export type OperatorCommands = TenantRoom['commands'] & { readonly tenants: SurfaceCommand };

/** The commands of all tenants: `--tenant` says for which one something is done. */
export function commandsOfAll(rooms: TenantRooms): OperatorCommands {
  const command =
    (name: keyof TenantRoom['commands']): SurfaceCommand =>
    async (words, { tenant = defaultTenant, ...options }) => {
      const room = rooms.get(tenant);
      if (room) return room.commands[name](words, options);
      throw usage(`there is no tenant ${JSON.stringify(tenant.slice(0, 80))}`);
    };
  const names = { token: command('token'), agents: command('agents'), keys: command('keys') };
  return { ...names, tenants: tenantsCommand(rooms) };
}
