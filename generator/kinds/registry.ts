import { auditEvents } from './audit-events.ts';
import { clientProfiles } from './client-profiles.ts';
import { config } from './config.ts';
import { configuration } from './configuration.ts';
import { diagnosticPages } from './diagnostic-pages.ts';
import { events } from './events.ts';
import { jobs } from './jobs.ts';
import type { Kind } from './kind/kind.ts';
import { presets } from './presets.ts';
import { prices } from './prices.ts';
import { providers } from './providers.ts';
import { scopes } from './scopes.ts';
import { searchWords } from './search-words.ts';
import { skills } from './skills.ts';
import { surfaceConfigs } from './surface-configs.ts';
import { surfaceRegistry } from './surface-registry.ts';
import { surfaces } from './surfaces.ts';
import { tables } from './tables.ts';
import { telemetry } from './telemetry/telemetry.ts';
import { tools } from './tools.ts';
import { workflows } from './workflows.ts';

/** Every kind of spec, in the order in which they are read. */
export const kinds: readonly Kind<unknown>[] = [
  config,
  surfaceConfigs,
  configuration,
  auditEvents,
  events,
  searchWords,
  clientProfiles,
  surfaces,
  surfaceRegistry,
  prices,
  tables,
  jobs,
  presets,
  providers,
  scopes,
  skills,
  workflows,
  telemetry,
  tools,
  diagnosticPages,
];
