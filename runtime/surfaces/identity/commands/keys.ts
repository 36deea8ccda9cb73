import type { SurfaceCommand } from '#contract/surface/surface-module';
import type { SigningKeys } from '../keys/signing-keys.ts';
import type { SigningKeyRow } from '../records/signing-keys.ts';
import { timeText } from '../registration/answer.ts';
import { usage } from './development-token.ts';

/** List the keys that sign tokens, and drop one that somebody else may have. */
export function keysCommand(keys: Pick<SigningKeys, 'list' | 'drop'>): SurfaceCommand {
  return async ([action, kid, ...rest]) => {
    if (rest.length === 0 && action === 'list' && kid === undefined) {
      const all = await keys.list();
      return all.length === 0 ? 'no key was made so far' : all.map(line).join('\n');
    }
    if (rest.length === 0 && action === 'drop' && kid !== undefined) {
      if (await keys.drop(kid)) return `${kid} is dropped, with all that it has signed`;
      throw usage(`there is no key ${JSON.stringify(kid.slice(0, 80))}`);
    }
    throw usage('keys takes one of: list, drop KID');
  };
}

function line({ kid, state, created_at, active_at, retiring_at }: SigningKeyRow): string {
  return `${kid}  ${state.padEnd(8)}  ${timeText(retiring_at ?? active_at ?? created_at)}`;
}
