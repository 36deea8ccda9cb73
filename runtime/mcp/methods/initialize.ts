import { serverProfile } from '../server-profile.ts';
import type { Method } from './method.ts';

/** Agree on a protocol version, of which the first one is the server's choice. */
export function initialize(versions: readonly [string, ...string[]]): Method {
  const { capabilities, info, instructions } = serverProfile;
  return {
    check: ({ protocolVersion }) =>
      typeof protocolVersion === 'string' ? undefined : '"protocolVersion" must be a string',
    run: ({ protocolVersion }) => ({
      kind: 'complete',
      result: {
        protocolVersion: versions.find((version) => version === protocolVersion) ?? versions[0],
        capabilities,
        serverInfo: info,
        instructions,
      },
    }),
  };
}
