import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { legacy } from '../../runtime/mcp/rpc.ts';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';
import { startWholeServer, type WholeServer } from '../../surfaces/identity/whole-server.ts';
import { keys } from '../chain.ts';
import { merchant } from '../shop.ts';

type Json = Readonly<Record<string, unknown>>;

/** What is told of a call of a tool. */
export interface Told {
  readonly isError?: boolean;
  readonly structuredContent?: Json & {
    readonly error?: unknown;
    readonly accepts?: readonly Json[];
  };
  readonly _meta?: Json;
}

export interface Stall extends WholeServer {
  call(name: string, args: Json, meta?: Json): Promise<Told>;
  /** What the audit log says under a name, the newest first. */
  audited(action: string): Promise<readonly Json[]>;
}

interface StallOptions {
  /** A node of the chain; without one nothing can be settled, and everything else is as it is. */
  readonly rpcUrl?: string;
  readonly policy?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A shop within this process, so that what is taken out of the product for a test is out of it. */
export async function openStall(
  t: Pick<TestContext, 'after'>,
  { rpcUrl = 'http://127.0.0.1:1', policy = '', env = {} }: StallOptions = {},
): Promise<Stall> {
  const file = join(temporaryDirectory(t), 'policy.yaml');
  writeFileSync(file, policy);
  const server = await startWholeServer(t, {
    SERVICE_AUTH: 'local',
    SERVICE_POLICY_FILE: file,
    SERVICE_OVERLOAD_WAIT: '1m',
    SERVICE_X402_PAY_TO: merchant.address,
    SERVICE_X402_RPC_URL: rpcUrl,
    SERVICE_X402_PRIVATE_KEY: keys.gas,
    SERVICE_X402_REFUND_PRIVATE_KEY: keys.merchant,
    ...env,
  });
  const url = new URL(`${server.base}/mcp`);
  return {
    ...server,
    async call(name, args, _meta) {
      const params = { name, arguments: args, ...(_meta && { _meta }) };
      const { body } = await legacy(url, { method: 'tools/call', params });
      return (body.result ?? { structuredContent: { error: body.error } }) as Told;
    },
    async audited(action) {
      const log = await server.service.engines.audit.open();
      const { records } = await log.list({ tenant: 'default', action, limit: 1000 });
      return records.map(({ entry }) => entry as unknown as Json);
    },
  };
}
