import { ServiceError } from '#contract/errors';
import type { Witness } from '#contract/house/witness';
import type { AuditHandlers } from '../../../generated/surfaces/audit/routes.ts';

type WitnessHandlers = Pick<
  AuditHandlers,
  'addCheckpoint' | 'getWitnessedCheckpoint' | 'getWitnessKey'
>;

const never = { 'cache-control': 'no-store' };

/** Serve the witness over HTTP (C2SP tlog-witness); a server that watches no log has none. */
export function createWitnessHandlers(witness: Witness | undefined): WitnessHandlers {
  return {
    async addCheckpoint({ body }) {
      const answer = await present(witness).addCheckpoint(body);
      return answer.kind === 'cosigned'
        ? { status: 200, headers: never, body: answer.lines }
        : { status: 409, headers: never, body: `${answer.size}\n` };
    },
    async getWitnessedCheckpoint({ parameters: { origin } }) {
      const body = await present(witness).checkpoint(origin);
      if (body !== undefined) return { status: 200, headers: never, body };
      const message = `no checkpoint of ${JSON.stringify(origin)} was cosigned here`;
      throw new ServiceError('not_found', 404, message);
    },
    async getWitnessKey() {
      return { status: 200, headers: never, body: `${present(witness).vkey()}\n` };
    },
  };
}

function present(witness: Witness | undefined): Witness {
  if (witness !== undefined) return witness;
  const message = 'this server watches no logs: SERVICE_AUDIT_WITNESS_LOGS names none';
  throw new ServiceError('not_found', 404, message);
}
