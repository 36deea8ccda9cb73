import type { PersonCredential, PersonCredentials } from '#contract/connect/person-credentials';
import type { House } from '#contract/house/house';
import { mayUseVendor } from '#contract/tenant/tenants';
import type { ConnectionRow } from '../../../../generated/surfaces/connections/tables.ts';
import { earlyMs } from '../numbers.ts';
import type { PageOwners } from '../pages/page-owners.ts';
import { readTokens } from './held-tokens.ts';
import type { Renewal, RenewalParts, Renewed } from './renewal.ts';

interface CredentialParts extends RenewalParts, Pick<House, 'tenants' | 'people'> {
  readonly renewal: Renewal;
  readonly owners: Pick<PageOwners, 'tagOf'>;
}

/** What people have connected, for the calls that are made for them. */
export function createPersonCredentials(parts: CredentialParts): PersonCredentials {
  const { records, renewal, sealer, vendors, now, tenants, people, owners } = parts;

  const credentialOf = (row: ConnectionRow): PersonCredential => ({
    id: row.id,
    version: row.version,
    scheme: row.scheme,
    open: async () => (await readTokens(sealer, row)).access,
  });
  const usable = (found: Renewed) =>
    found === undefined || found === 'broken' ? found : credentialOf(found);

  return {
    async find(caller, provider) {
      if (caller.isAnonymous) return undefined;
      const row = await records.find(caller, provider);
      if (!row) return undefined;
      if (row.state === 'broken') return 'broken';
      const isDue = row.expires_at !== null && row.expires_at - earlyMs <= now();
      return isDue ? usable(await renewal.renew(row, 'expiry')) : credentialOf(row);
    },
    async renew(caller, provider, refused) {
      const row = await records.find(caller, provider);
      if (!row || row.state === 'broken') return row && 'broken';
      // Somebody has renewed it, or connected another account, since the call began.
      if (row.id !== refused.id || row.version > refused.version) return credentialOf(row);
      return usable(await renewal.renew(row, 'refusal'));
    },
    place(caller, provider) {
      const url = tenants.find(caller.tenant)?.address.of(`/connect/${provider}`);
      if (!mayUseVendor(tenants.find(caller.tenant), provider)) return undefined;
      if (url === undefined || !vendors.get(provider)?.ways.length) return undefined;
      const nobody = people.nobodyDecides(caller);
      if (nobody) return nobody;
      return { url: `${url}?for=${owners.tagOf(caller)}` };
    },
  };
}
