import { ServiceError } from '#contract/errors';
import type { IdentityHandlers } from '../../../../generated/surfaces/identity/routes.ts';
import type { Discovery } from './discovery.ts';
import { agentInstructions } from './instructions.ts';
import { resourceMetadata, scopesOf } from './resource-metadata.ts';
import { serverMetadata } from './server-metadata.ts';

type Handlers = Pick<
  IdentityHandlers,
  | 'getRootResource'
  | 'getResource'
  | 'getServerMetadata'
  | 'getServerMetadataAsOpenId'
  | 'getAgentInstructions'
  | 'getFormerRegistration'
  | 'postFormerRegistration'
  | 'getFormerRegistrationPath'
  | 'postFormerRegistrationPath'
>;

/** What tells clients and agents where everything is. */
export function createDiscoveryHandlers(discovery: Discovery): Handlers {
  const { addresses, scopes, offers } = discovery;
  const describe = (resource: string) =>
    resourceMetadata(resource, {
      addresses,
      offers,
      scopes: scopesOf(resource, addresses, scopes),
    });
  const former = async () => {
    const skill = addresses.url('/auth.md');
    const message = `nothing is registered here any more: read ${skill}`;
    const body = { error: 'not_found', message, error_description: message, skill };
    return { status: 404 as const, body };
  };
  return {
    getRootResource: async () => ({ status: 200, body: describe(addresses.base()) }),
    async getResource({ parameters: { path } }) {
      const resource = addresses.url(`/${path}`);
      if (resource === addresses.mcp()) return { status: 200, body: describe(resource) };
      throw new ServiceError('not_found', 404, 'no resource of this server is called so');
    },
    getServerMetadata: async () => ({ status: 200, body: serverMetadata(discovery) }),
    getServerMetadataAsOpenId: async () => ({ status: 200, body: serverMetadata(discovery) }),
    getAgentInstructions: async () => ({ status: 200, body: agentInstructions(discovery) }),
    getFormerRegistration: former,
    postFormerRegistration: former,
    getFormerRegistrationPath: former,
    postFormerRegistrationPath: former,
  };
}
