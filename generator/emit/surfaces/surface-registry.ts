import type { Choice, SurfaceConfigModel } from '../../model/house/surface-config.ts';
import { camelCase } from '../../model/texts/names.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { Code, literal } from '../print/literal.ts';
import { quoted } from '../print/quoted.ts';
import { constant, printSourceFile } from '../print/source-file.ts';

/** What the registry says of a surface. */
export interface RegisteredSurface {
  readonly id: string;
  readonly title: string;
  /** How many tools it has. */
  readonly tools: number;
  /** Where its routes stand, by their names. */
  readonly paths: Readonly<Record<string, string>>;
  /** Absent where it has no config.yaml. */
  readonly config: SurfaceConfigModel | undefined;
}

/**
 * Print the list of surfaces: what enables each, and how it is loaded. `properties` are those of the
 * switches of the server, by the names of their variables.
 */
export function emitSurfaceRegistry(
  surfaces: readonly RegisteredSurface[],
  properties: ReadonlyMap<string, string>,
): EmittedFile {
  return printSourceFile({
    path: 'generated/surfaces.ts',
    source: 'specs/surfaces',
    imports: [
      { from: '#contract/surface/surface-module', types: ['SurfaceEntry'] },
      { from: './config.ts', types: ['Config'] },
    ],
    statements: [
      constant({
        name: 'surfaces',
        type: 'readonly SurfaceEntry<Config>[]',
        docs: ['Every surface of this server. One that is not enabled is not loaded.'],
        value: literal(surfaces.map((surface) => entryOf(surface, properties))),
      }),
    ],
  });
}

function entryOf(
  { id, title, tools, paths, config }: RegisteredSurface,
  properties: ReadonlyMap<string, string>,
): object {
  const { choice, switches = [] } = config ?? {};
  return {
    id,
    title,
    tools,
    paths,
    isEnabled: choice && new Code(conditionOf(id, choice, properties)),
    create: new Code(creatorOf(id, switches.length > 0)),
  };
}

function conditionOf(
  id: string,
  { env, values, isOwn }: Choice,
  properties: ReadonlyMap<string, string>,
): string {
  if (isOwn) return `({ surfaces }) => surfaces.${camelCase(id)}.enabled`;
  const property = properties.get(env) ?? '';
  const tests = values.map((value) => `${property} === ${quoted(value)}`);
  return `({ ${property} }) => ${tests.join(' || ')}`;
}

/** The type of the module is checked here: it takes exactly these settings. */
function creatorOf(id: string, hasSettings: boolean): string {
  const settings = hasSettings ? `surfaces.${camelCase(id)}` : '{}';
  const parameters = hasSettings ? 'house, { surfaces }' : 'house';
  return `async (${parameters}) => {
  const { surface } = await import('#surface/${id}');
  return surface.create(house, ${settings});
}`;
}
