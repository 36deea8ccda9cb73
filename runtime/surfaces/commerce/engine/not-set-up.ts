import { ServiceError } from '#contract/errors';
import { nothingSetUp } from '../offers/terms.ts';

/** A payment came that nothing here takes. */
export function notSetUp(): ServiceError {
  return new ServiceError('unsupported_scheme', 503, nothingSetUp, { isLasting: true });
}
