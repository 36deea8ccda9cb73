import { LRUCache } from 'lru-cache';
import { ServiceError } from '#contract/errors';
import type { House } from '#contract/house/house';
import type { SurfaceCommand } from '#contract/surface/surface-module';
import { isTerminalMac, terminalPurpose } from '#contract/surface/terminal-request';
import type { IdentityHandlers } from '../../../../generated/surfaces/identity/routes.ts';
import { clockSkewMs } from '../numbers.ts';

const mostNonces = 10_000;

/** Do what the operator asks for at a terminal beside this server, who proves it with its key. */
export function createTerminalHandlers(
  commands: Readonly<Record<string, SurfaceCommand>>,
  { keys, now }: Pick<House, 'keys' | 'now'>,
): Pick<IdentityHandlers, 'runAtTerminal'> {
  const used = new LRUCache<string, true>({ max: mostNonces });
  return {
    async runAtTerminal({ body: { mac, ...request } }) {
      const { name, words, options, time, nonce } = request;
      const isLate = Math.abs(now() - time) > clockSkewMs;
      if (isLate || used.has(nonce) || !isTerminalMac(keys(terminalPurpose), request, mac)) {
        throw new ServiceError('forbidden', 403, 'this is for the operator of this server');
      }
      used.set(nonce, true);
      const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
      if (!command) throw new ServiceError('not_found', 404, 'there is no such command');
      const text = await command(words, options);
      return { status: 200, headers: { 'cache-control': 'no-store' }, body: { text } };
    },
  };
}
