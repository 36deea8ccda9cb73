import { ServiceError } from '#contract/errors';
import type { House } from '#contract/house/house';
import type { SurfaceCommand } from '#contract/surface/surface-module';
import { defaultTenant } from '#contract/tenant/tenants';
import type { Disconnect } from './disconnect.ts';
import { mostListed } from './numbers.ts';
import type { ConnectionRecords } from './records/connections.ts';

/** What the operator of a tenant can have done at the terminal. */
export function connectionsCommand(
  { records, tenants }: Pick<House, 'tenants'> & { readonly records: ConnectionRecords },
  disconnect: Disconnect,
): SurfaceCommand {
  return async ([action, subject, provider, ...rest], options) => {
    const tenant = options['tenant'] ?? defaultTenant;
    if (!tenants.find(tenant))
      throw usage(`there is no tenant ${JSON.stringify(tenant.slice(0, 80))}`);
    if (action === 'list' && subject === undefined) {
      const rows = await records.listAll(tenant, mostListed);
      if (rows.length === 0) return 'nobody has connected an account';
      return rows
        .map(({ subject, provider, state, way, made_at }) =>
          [subject, provider.padEnd(12), state.padEnd(9), way.padEnd(6), timeText(made_at)].join(
            '  ',
          ),
        )
        .join('\n');
    }
    if (action === 'disconnect' && provider !== undefined && subject && rest.length === 0) {
      const gone = await disconnect({ tenant, subject }, provider, 'operator');
      if (gone) return `the account of ${subject} at ${provider} is disconnected`;
      const what = `${JSON.stringify(subject.slice(0, 80))} at ${JSON.stringify(provider.slice(0, 80))}`;
      throw usage(`there is no account of ${what}`);
    }
    throw usage('connections takes one of: list, disconnect PERSON VENDOR');
  };
}

function usage(message: string): ServiceError {
  return new ServiceError('invalid_arguments', 400, message);
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
