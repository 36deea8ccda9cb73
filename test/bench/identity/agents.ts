import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerProcess, startFlags, startServer } from '../server-process.ts';
import { Networks, type Post } from './networks.ts';

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export interface Product extends ServerProcess {
  readonly dataDir: string;
}

/** Start the whole product with a data folder of its own, or in a given one. */
export async function startProduct(
  env: Readonly<Record<string, string>> = {},
  dataDir = join(mkdtempSync(join(tmpdir(), 'identity-bench-')), 'data'),
): Promise<Product> {
  const settings = {
    ...{ SERVICE_PROVIDER: 'osv', SERVICE_LOG_LEVEL: 'silent', SERVICE_DATA_DIR: dataDir },
    // People sign in without a provider of identities only outside of production.
    ...{ SERVICE_AUTH: 'required', NODE_ENV: 'development' },
    ...{ SERVICE_REGISTRATIONS_PER_NETWORK: '1000000', SERVICE_REGISTRATIONS_PER_HOUR: '1000000' },
  };
  const server = await startServer(
    '../identity/servers/product',
    { ...settings, ...env },
    startFlags,
  );
  return {
    ...server,
    dataDir,
    async stop() {
      await server.stop();
      rmSync(join(dataDir, '..'), { recursive: true, force: true });
    },
  };
}

export interface Agent {
  readonly id: string;
  readonly assertion: string;
  readonly claimToken: string;
}

/** Register agents for which nobody vouches. */
export async function registerAgents(networks: Networks, count: number): Promise<readonly Agent[]> {
  const agents: Agent[] = [];
  const body = JSON.stringify({ type: 'anonymous' });
  await networks.repeat(count, async () => {
    const path = '/agent/identity';
    const told = JSON.parse(await networks.post({ path, type: 'application/json', body }));
    agents.push({
      id: String(told.registration_id),
      assertion: String(told.identity_assertion),
      claimToken: String(told.claim_token),
    });
  });
  return agents;
}

/** What an agent sends for an access token; `more` are further parameters. */
export function exchangeOf(
  assertion: string,
  path = '/oauth2/token',
  more: Readonly<Record<string, string>> = {},
): Post {
  const form = { grant_type: jwtBearer, assertion, ...more };
  const body = new URLSearchParams(form).toString();
  return { path, type: 'application/x-www-form-urlencoded', body };
}

/** An agent that has just registered, with an access token. */
export async function freshAgent(base: string): Promise<Agent & { readonly token: string }> {
  const networks = new Networks(base, 1);
  try {
    const [agent] = await registerAgents(networks, 1);
    if (!agent) throw new Error('nobody registered');
    const answer = JSON.parse(await networks.post(exchangeOf(agent.assertion)));
    return { ...agent, token: String(answer.access_token) };
  } finally {
    await networks.close();
  }
}
