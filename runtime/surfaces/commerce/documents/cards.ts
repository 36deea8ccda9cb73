import type { ProviderStatus } from '#contract/house/provider-status';
import type { JsonObject } from '#contract/json';
import { acpVersions } from '../acp/version.ts';
import type { Accepted } from '../offers/accepted.ts';
import { checkoutCapability, mandateCapability, ucpVersion } from '../ucp/version.ts';

/** What the documents about this server are made of. */
export interface Described {
  /** The address of a path, as clients see it. */
  readonly url: (path: string) => string;
  readonly mcpPath: string;
  readonly version: string;
  readonly providers: readonly ProviderStatus[];
  /** What a client can be allowed, by the names of the scopes. */
  readonly scopes: Readonly<Record<string, string>>;
}

/** What the operator has switched on of what is no standard for good yet. */
export interface Previews {
  readonly acp: boolean;
  readonly ucp: boolean;
  readonly ap2: boolean;
}

const title = 'Agent Tool Server';
const summary = 'Vendor APIs and services as tools for AI agents';

/** Which form of the agent card says that a server takes mandates of AP2: readers look for this one. */
export const ap2 = 'https://github.com/google-agentic-commerce/ap2/tree/v0.1';

/** What this server is to clients of MCP (SEP-2127, Server Card v1). */
export function serverCard({ url, mcpPath, version }: Described): JsonObject {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${reversed(new URL(url('/')).hostname)}/agent-tool-server`,
    ...{ version, title, description: summary },
    remotes: [{ type: 'streamable-http', url: url(mcpPath) }],
  };
}

/** What there is at this address (AI Catalog 1.0). */
export function catalogue({ url }: Described): JsonObject {
  const { hostname } = new URL(url('/'));
  return {
    specVersion: '1.0',
    entries: [
      {
        identifier: `urn:air:${hostname}:mcp:agent-tool-server`,
        type: 'application/mcp-server-card+json',
        url: url('/.well-known/mcp/server-card.json'),
      },
    ],
  };
}

/** What this server is to other agents (A2A 1.0); they reach its tools over MCP. */
export function agentCard(
  { url, mcpPath, version, providers, scopes }: Described,
  { ap2: mandates, ucp }: Previews,
): JsonObject {
  // What is at its default is left out: it is signed, and readers leave it out before they verify.
  return {
    ...{ name: title, description: summary, version },
    documentationUrl: url('/auth.md'),
    supportedInterfaces: [{ url: url(mcpPath), protocolBinding: 'MCP', protocolVersion: '1.0' }],
    capabilities: {
      extensions: [
        {
          uri: ap2,
          description:
            mandates && ucp
              ? 'A preview: mandates of AP2 0.2 are taken in checkout sessions of UCP'
              : 'Mandates of AP2 are planned and not taken yet',
          params: { roles: ['merchant'] },
        },
      ],
    },
    securitySchemes: {
      oauth2: {
        oauth2SecurityScheme: {
          flows: {
            authorizationCode: {
              authorizationUrl: url('/oauth2/authorize'),
              tokenUrl: url('/.well-known/oauth-authorization-server/token'),
              scopes,
            },
          },
          oauth2MetadataUrl: url('/.well-known/oauth-authorization-server'),
        },
      },
    },
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json', 'text/plain'],
    skills: providers.map(({ id, title: name, tools }) => ({
      ...{ id, name, tags: [id] },
      description: `${tools} tools of ${name}`,
    })),
  };
}

/** What of UCP works here, which is nothing unless the operator wants it (2026-08-25, business profile). */
export function ucpProfile(
  { url }: Described,
  { ucp, ap2: mandates }: Previews,
  { chain, card }: Accepted,
  keys: readonly JsonObject[],
): JsonObject {
  const empty = { version: ucpVersion, services: {}, payment_handlers: {} };
  if (!ucp) return { ucp: empty, keys: [] };
  const spec = `https://ucp.dev/${ucpVersion}`;
  const version = ucpVersion;
  const extension = {
    ...{ version, spec: `${spec}/specification/ap2-mandates`, extends: checkoutCapability },
    schema: `${spec}/schemas/shopping/ap2_mandate.json`,
    config: { preview: true, vp_formats_supported: { 'dc+sd-jwt': {} } },
  };
  return {
    ucp: {
      version,
      services: {
        'dev.ucp.shopping': [
          {
            ...{ version, transport: 'rest', endpoint: url('/ucp') },
            spec: `${spec}/specification/overview`,
            schema: `${spec}/services/shopping/rest.openapi.json`,
          },
        ],
      },
      capabilities: {
        [checkoutCapability]: [
          {
            ...{ version, spec: `${spec}/specification/shopping/checkout` },
            ...{ schema: `${spec}/schemas/shopping/checkout.json`, config: { preview: true } },
          },
        ],
        ...(mandates && keys.length > 0 && { [mandateCapability]: [extension] }),
      },
      payment_handlers: {
        ...(card && {
          'com.stripe.shared_payment_token': [{ id: 'card', version: '2026-04-17' }],
        }),
        ...(chain.isPayable && { 'org.x402.exact': [{ id: 'x402', version: '2025-12-09' }] }),
      },
    },
    keys: [...keys],
  };
}

/** The same for ACP (2026-04-17, discovery). */
export function acpDiscovery({ url }: Described, { acp }: Pick<Previews, 'acp'>): JsonObject {
  const version = acpVersions[0];
  return {
    protocol: { name: 'acp', version, supported_versions: [...acpVersions] },
    api_base_url: acp ? url('/acp') : url('').replace(/\/$/, ''),
    transports: ['rest'],
    capabilities: acp
      ? { services: ['checkout', 'orders'], supported_currencies: ['usd'] }
      : { services: [] },
  };
}

/** Where a model finds everything (llms.txt). */
export function introduction({ url, mcpPath, providers }: Described): string {
  const tools = providers.map(({ title: name, tools: count }) => `- ${name}: ${count} tools`);
  return `# ${title}

> ${summary}, over MCP at ${url(mcpPath)}.

## Start here

- [Access](${url('/auth.md')}): how an agent registers itself and gets a token
- [Prices](${url('/.well-known/payments.json')}): what costs something, and how it is paid
- [Paid routes](${url('/openapi.json')}): the same as an OpenAPI description

## Tools

${tools.length > 0 ? tools.join('\n') : 'None but those of the server itself.'}
`;
}

/** `tools.example.com` as `com.example.tools`; an address of numbers as it is. */
function reversed(host: string): string {
  if (/^[\d.]+$/.test(host) || !/^[a-z0-9.-]+$/i.test(host)) return host.replace(/[^\w.-]/g, '');
  return host.split('.').reverse().join('.');
}
