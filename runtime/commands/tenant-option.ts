import { defaultTenant } from '#contract/tenant/tenants';
import type { Config } from '../../generated/config.ts';
import { parseTenants } from '../process/tenant/declared-tenants.ts';
import { type CommandOptions, UsageError } from './command.ts';

/**
 * The tenant that `--tenant` names, where this process has it; that of the server itself without it.
 *
 * @throws UsageError
 */
export function tenantOption(
  { tenant = defaultTenant }: CommandOptions,
  { tenants }: Pick<Config, 'tenants'>,
): string {
  const known = [defaultTenant, ...parseTenants(tenants).map(({ id }) => id)];
  if (known.includes(tenant)) return tenant;
  throw new UsageError(
    `there is no tenant ${JSON.stringify(tenant.slice(0, 80))}; there are ${known.join(', ')}`,
  );
}
