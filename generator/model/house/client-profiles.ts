import type { SchemaProfile } from '#contract/schema-profile';

/** A `clients.yaml` that its JSON Schema accepts. */
export interface ClientsFile {
  readonly groups: readonly {
    readonly profile: SchemaProfile;
    readonly why: string;
    readonly sources: readonly string[];
    readonly names: readonly string[];
  }[];
}

/** The form of schemas that each client takes, by the name that it gives itself. */
export function planClientProfiles({ groups }: ClientsFile): Record<string, SchemaProfile> {
  return Object.fromEntries(
    groups.flatMap(({ names, profile }) => names.map((name) => [name, profile])),
  );
}
