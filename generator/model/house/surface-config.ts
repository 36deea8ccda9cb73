import { type ConfigSwitch, planSwitch, type RawSwitch } from './config-model.ts';

/** What a surface is called, what enables it, and its settings: its `config.yaml`. */
export interface SurfaceConfigModel {
  readonly id: string;
  readonly title: string;
  /** Absent where the surface is always on. */
  readonly choice?: Choice;
  readonly switches: readonly ConfigSwitch[];
}

/** The values of a switch that enable a surface. */
export interface Choice {
  readonly env: string;
  readonly values: readonly string[];
  /** The switch is the surface's own: a yes or no. */
  readonly isOwn: boolean;
}

/** A `config.yaml` of a surface that its JSON Schema accepts. */
export interface SurfaceConfigFile {
  readonly title: string;
  readonly switch?: string | { readonly env: string; readonly values: readonly string[] };
  readonly settings?: Readonly<Record<string, RawSwitch>>;
}

/** Plan what the configuration has of one surface. */
export function planSurfaceConfig(file: SurfaceConfigFile, id: string): SurfaceConfigModel {
  const { title, switch: choice, settings = {} } = file;
  const own = Object.entries(settings).map(([name, raw]) =>
    planSwitch(raw, name, `/settings/${name}`),
  );
  if (choice === undefined) return { id, title, switches: own };
  if (typeof choice !== 'string') {
    return { id, title, choice: { ...choice, isOwn: false }, switches: own };
  }
  const enabled: RawSwitch = {
    env: choice,
    type: 'boolean',
    default: false,
    description: `Whether ${title} is offered`,
  };
  return {
    id,
    title,
    choice: { env: choice, values: ['true'], isOwn: true },
    switches: [planSwitch(enabled, 'enabled', '/switch'), ...own],
  };
}
