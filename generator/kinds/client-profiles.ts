import {
  type ClientProfiles,
  type ClientsFile,
  planClientProfiles,
} from '../model/house/client-profiles.ts';
import { yamlKind } from './kind/yaml-kind.ts';

/** Which MCP clients take which form of schemas. */
export const clientProfiles = yamlKind<ClientsFile, ClientProfiles>({
  name: 'client profiles',
  where: ['specs/mcp/clients.yaml'],
  schema: 'mcp-clients',
  plan: planClientProfiles,
  async print(model) {
    const { emitClientProfiles } = await import('../emit/house/client-profiles.ts');
    return [emitClientProfiles(model)];
  },
});
