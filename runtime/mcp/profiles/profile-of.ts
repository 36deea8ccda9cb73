import type { ClientFacts } from '#contract/client';
import { type SchemaProfile, schemaProfiles } from '#contract/schema-profile';
import { clientProfiles } from '../../../generated/client-profiles.ts';

/** A map: names of clients may be those of inherited properties. */
const profilesByName: ReadonlyMap<string, SchemaProfile> = new Map(Object.entries(clientProfiles));

/** The form of schemas that a client takes, as far as it says; its address counts more than its name. */
export function profileOf({ profile, name }: ClientFacts): SchemaProfile | undefined {
  return profile ?? (name === undefined ? undefined : profilesByName.get(name));
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
