import type { ClientFacts } from '#contract/client';
import { type SchemaProfile, schemaProfiles } from '#contract/schema-profile';
import { clientProfiles, usualProfile } from '../../../generated/client-profiles.ts';

/** A map: names of clients may be those of inherited properties. */
const profilesByName: ReadonlyMap<string, SchemaProfile> = new Map(Object.entries(clientProfiles));

/** The form of schemas that a client gets; its address counts more than its name. */
export function profileOf({ profile, name }: ClientFacts): SchemaProfile {
  return profile ?? (name === undefined ? undefined : profileNamed(name)) ?? usualProfile;
}

/** Names come in other letters, and through proxies, which add theirs: `(via mcp-remote 0.1.37)`. */
function profileNamed(name: string): SchemaProfile | undefined {
  const bracket = name.indexOf('(');
  const own = bracket < 0 ? name : name.slice(0, bracket);
  return profilesByName.get(own.trim().toLowerCase());
}

/** What the address of a request asks for; a text says what is wrong with it. */
export function profileIn(
  url: string | undefined,
): SchemaProfile | { readonly problem: string } | undefined {
  const query = url?.indexOf('?') ?? -1;
  if (url === undefined || query < 0) return undefined;
  const named = new URLSearchParams(url.slice(query + 1)).getAll('profile');
  const [first] = named;
  if (first === undefined) return undefined;
  const known = schemaProfiles.find((profile) => profile === first);
  if (known && named.length === 1) return known;
  const given = named
    .map((name) => JSON.stringify(name.slice(0, 40)))
    .slice(0, 3)
    .join(' and ');
  return { problem: `profile must be one of ${schemaProfiles.join(', ')}, but ${given} was given` };
}
