import type { SignedInPeople } from '#contract/surface/people';
import { defaultTenant } from '#contract/tenant/tenants';

/** The people of all tenants, each known to their own alone. */
export function peopleOfAll(of: (tenant: string) => SignedInPeople): SignedInPeople {
  return {
    visitor: (http) => of(http?.tenant ?? defaultTenant).visitor(http),
    signInPath: (path, tenant) => of(tenant).signInPath(path, tenant),
    standing: (asker, person) => of(person.tenant).standing(asker, person),
    nobodyDecides: (caller) => of(caller.tenant).nobodyDecides(caller),
  };
}
