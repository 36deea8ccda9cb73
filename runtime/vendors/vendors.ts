import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Environment } from '#contract/config/config';
import type { ConnectableVendor } from '#contract/connect/connectable';
import type { ProviderStatus } from '#contract/house/provider-status';
import type { Provider, ProviderEntry } from '#contract/provider';
import type { Tool, ToolDefinition, VendorTool } from '#contract/tool';
import type { Config } from '../../generated/config.ts';
import { providers as registry } from '../../generated/providers.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { ToolSource } from '../offer/catalogue.ts';
import type { OfferedSkill } from '../offer/skills.ts';
import { createOutbound, type Outbound } from '../outbound/index.ts';
import { isConnectable } from '../outbound/person/connect-ways.ts';
import { toldTool } from '../outbound/request/told-tool.ts';
import type { Part } from '../process/life.ts';
import { Remembered } from '../process/remembered.ts';
import { version } from '../process/version.ts';
import { CredentialShelf } from './credential-shelf.ts';
import { parseProviderAuth } from './provider-auth.ts';
import { selectProviders } from './provider-selection.ts';
import { tenantsOfVendors } from './tenant-vendors.ts';

/** How long calls that still run may take when the server has stopped. */
const closingMs = 1000;

/** How long a call waits for a person who has opened a page, at most. */
const mostPatienceMs = 20_000;

/** The enabled vendors, and the way out to them. */
export interface Vendors extends Part {
  readonly providers: readonly Provider[];
  readonly outbound: Outbound;
  readonly sources: readonly ToolSource[];
  /** How to use them, unloaded. */
  readonly skills: readonly OfferedSkill[];
  readonly statuses: readonly ProviderStatus[];
  /** At which people connect accounts of their own. */
  readonly connectable: readonly ConnectableVendor[];
  /** Takes what people have connected. */
  readonly credentials: CredentialShelf;
}

/** Where the operator sees what is wrong with a spec. */
interface Watch {
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'toolMisfit'>;
}

/**
 * Load the providers that `SERVICE_PROVIDER` names; their tools stay unloaded.
 *
 * @throws ConfigError
 */
export async function loadVendors(
  config: Config,
  env: Environment,
  watch: Watch,
): Promise<Vendors> {
  const credentials = new CredentialShelf();
  const outbound = createOutbound({
    ...{ version, credentials },
    tenantsOf: tenantsOfVendors(config),
    oauthUrls: new Map(Object.entries(config.providerOauthUrl)),
    patienceMs: Math.min(mostPatienceMs, config.callTimeoutMs / 2),
    contact: config.contact,
    ownUrl: config.baseUrl,
    allow: config.outboundAllow,
    env,
    authJson: parseProviderAuth(config.providerAuthJson, registry),
    baseUrls: new Map(Object.entries(config.providerUrl)),
    onMisfit: misfitReport(watch),
  });
  const entries = selectProviders(config.provider, registry).flatMap((id) => registry[id] ?? []);
  const providers = await Promise.all(entries.map((entry) => entry.load()));
  return {
    providers,
    outbound,
    sources: entries.flatMap((entry, index) => {
      const provider = providers[index];
      return provider ? [vendorTools(provider, entry, outbound)] : [];
    }),
    skills: entries.flatMap(({ skill: load }, index) => {
      const source = providers[index]?.id;
      return source === undefined ? [] : [{ source, load }];
    }),
    statuses: providers.map((provider) => providerStatus(provider, outbound)),
    connectable: providers
      .filter(isConnectable)
      .map((provider) => connectableVendor(provider, outbound)),
    credentials,
    stop: () => outbound.close(closingMs),
  };
}

/** Count each answer that its spec does not describe, and say of each tool once what is wrong. */
function misfitReport({ log, metrics }: Watch) {
  const told = new Set<string>();
  return (tool: string, places: readonly string[]) => {
    metrics.toolMisfit(tool);
    if (told.has(tool)) return;
    told.add(tool);
    log.warn({ tool, places }, 'the vendor does not answer as the spec of this tool says');
  };
}

/** The tools of a provider, each loaded with its first call: lists want their definitions alone. */
function vendorTools(
  provider: Provider,
  entry: Pick<ProviderEntry, 'definitions' | 'search'>,
  outbound: Outbound,
): ToolSource {
  const { id, title, tools } = provider;
  const definitions = new Remembered(() => readDefinitions(entry.definitions));
  const definition = async (name: string): Promise<ToolDefinition> => {
    const found = (await definitions.get()).get(name);
    if (!found) throw new Error(`${entry.definitions.pathname} does not hold ${name}`);
    return found;
  };
  const tool = async (name: string, load: () => Promise<VendorTool>): Promise<Tool> => {
    const told = await definition(name);
    const loaded = new Remembered(() => toldTool(told, load));
    return outbound.lazyTool(provider, told, () => loaded.get());
  };
  const source = Object.entries(tools).map(
    ([name, load]) => [name, () => tool(name, load)] as const,
  );
  return { id, title, tools: source, documents: entry.search };
}

async function readDefinitions(file: URL): Promise<ReadonlyMap<string, ToolDefinition>> {
  // The generator wrote it, from what it made the tools of.
  const all: ToolDefinition[] = JSON.parse(await readFile(file, 'utf8'));
  return new Map(all.map((each) => [each.name, each]));
}

/** What `service_status` says of a provider. */
function providerStatus(provider: Provider, outbound: Outbound): ProviderStatus {
  const { id, title, tools, auth } = provider;
  const state = outbound.credential(provider);
  const unset = auth.every(({ type }) => type === 'none') ? 'not_needed' : 'optional';
  return {
    id,
    title,
    tools: Object.keys(tools).length,
    credential: state === 'none' ? unset : state,
  };
}

function connectableVendor(provider: Provider, outbound: Outbound): ConnectableVendor {
  const { id, title } = provider;
  return {
    id,
    title,
    ways: outbound.waysToConnect(provider),
    isShared: outbound.credential(provider) === 'set',
    tryOut: (scheme, token) => outbound.verify(provider, { scheme, token }),
  };
}
