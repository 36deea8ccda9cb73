import manifest from '../../package.json' with { type: 'json' };

export const version = manifest.version;

/** Who this server is, as MCP clients are told (MCP 2026-07-28, Implementation). */
export const serverInfo = {
  name: manifest.name,
  title: 'Agent Tool Server',
  version,
} as const;
