import type { Arrival } from '#contract/arrival';
import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import { InvalidProof, type ProofParts, proofAlgorithms, readProof } from './proof.ts';

/** Read the proof of a request to the token endpoint. @throws ServiceError `invalid_dpop_proof` (400) */
export function tokenProofs(parts: ProofParts) {
  return async ({ http }: CallContext): Promise<string | undefined> => {
    try {
      return http && (await readProof(http, parts));
    } catch (error) {
      if (!(error instanceof InvalidProof)) throw error;
      const message = `the DPoP proof is refused: ${error.message}`;
      throw new ServiceError('invalid_dpop_proof', 400, message);
    }
  };
}

/** Check the proof that belongs to a bound token (RFC 9449 section 7.1). @throws ServiceError 401 */
export function resourceProofs(parts: ProofParts) {
  return async (arrival: Arrival, token: string, jkt: string): Promise<void> => {
    const why = await flaw(arrival, token, jkt, parts);
    if (why === undefined) return;
    const error = why.isProof ? 'invalid_dpop_proof' : 'invalid_token';
    const description = `error_description="${why.text}"`;
    const challenge = `DPoP error="${error}", ${description}, algs="${proofAlgorithms.join(' ')}"`;
    throw new ServiceError(error, 401, why.text, { headers: { 'www-authenticate': challenge } });
  };
}

async function flaw(arrival: Arrival, token: string, jkt: string, parts: ProofParts) {
  try {
    const thumbprint = await readProof(arrival, parts, token);
    if (thumbprint === undefined) return { isProof: true, text: 'the DPoP proof is missing' };
    if (thumbprint === jkt) return undefined;
    return { isProof: false, text: 'the token is bound to another key' };
  } catch (error) {
    if (!(error instanceof InvalidProof)) throw error;
    return { isProof: true, text: `the DPoP proof is refused: ${error.message}` };
  }
}
