import type { SchemaProfile } from '#contract/schema-profile';
import type { EmittedFile } from '../print/emitted-file.ts';
import { literal } from '../print/literal.ts';
import { constant, printSourceFile } from '../print/source-file.ts';

/** Print `generated/client-profiles.ts`: which clients take which form of schemas. */
export function emitClientProfiles(profiles: Readonly<Record<string, SchemaProfile>>): EmittedFile {
  return printSourceFile({
    path: 'generated/client-profiles.ts',
    source: 'specs/mcp/clients.yaml',
    imports: [{ from: '#contract/schema-profile', types: ['SchemaProfile'] }],
    statements: [
      constant({
        name: 'clientProfiles',
        type: 'Readonly<Record<string, SchemaProfile>>',
        docs: ['Which clients take which form of schemas, by the names that they give themselves.'],
        value: literal(profiles),
      }),
    ],
  });
}
