import { serverInfo } from '../../process/version.ts';
import type { Method } from '../request/method.ts';
import type { Params } from '../wire/json-rpc.ts';

type Versions = readonly [string, ...string[]];

/** The method of the handshake. */
export const opening = 'initialize';

/** The version that both sides will speak: the client's wish where it is served. */
export function negotiate(versions: Versions, { protocolVersion }: Params): string {
  return versions.find((version) => version === protocolVersion) ?? versions[0];
}

/** Agree on a protocol version and say what this server can do. */
export function initialize(
  versions: Versions,
  capabilities: object,
  instructions: (tenant: string) => string,
): Method {
  return {
    check: ({ protocolVersion }) =>
      typeof protocolVersion === 'string' ? undefined : '"protocolVersion" must be a string',
    run: (params, { caller }) => ({
      kind: 'complete',
      result: {
        protocolVersion: negotiate(versions, params),
        capabilities,
        serverInfo,
        instructions: instructions(caller.tenant),
      },
    }),
  };
}
