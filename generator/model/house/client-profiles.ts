import type { SchemaProfile } from '#contract/schema-profile';

/** A `clients.yaml` that its JSON Schema accepts. */
export interface ClientsFile {
  readonly usual: Choice;
  readonly groups: readonly (Choice & { readonly names: readonly string[] })[];
}

interface Choice {
  readonly profile: SchemaProfile;
  readonly why: string;
  readonly sources: readonly string[];
}

/** Which clients take which form of schemas. */
export interface ClientProfiles {
  /** Of those that have no name here. */
  readonly usual: SchemaProfile;
  readonly byName: Readonly<Record<string, SchemaProfile>>;
}

/** The form of schemas that each client takes, by the name that it gives itself. */
export function planClientProfiles({ usual, groups }: ClientsFile): ClientProfiles {
  const named = groups.flatMap(({ names, profile }) => names.map((name) => [name, profile]));
  return { usual: usual.profile, byName: Object.fromEntries(named) };
}
