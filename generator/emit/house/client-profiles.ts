import type { ClientProfiles } from '../../model/house/client-profiles.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { literal } from '../print/literal.ts';
import { constant, printSourceFile } from '../print/source-file.ts';

/** Print `generated/client-profiles.ts`: which clients take which form of schemas. */
export function emitClientProfiles({ usual, byName }: ClientProfiles): EmittedFile {
  return printSourceFile({
    path: 'generated/client-profiles.ts',
    source: 'specs/mcp/clients.yaml',
    imports: [{ from: '#contract/schema-profile', types: ['SchemaProfile'] }],
    statements: [
      constant({
        name: 'usualProfile',
        type: 'SchemaProfile',
        docs: ['The form of schemas for clients that show in no way that they take more.'],
        value: literal(usual),
      }),
      constant({
        name: 'clientProfiles',
        type: 'Readonly<Record<string, SchemaProfile>>',
        docs: [
          'Which clients take which form of schemas, by the names that they give themselves, in lower case.',
        ],
        value: literal(byName),
      }),
    ],
  });
}
