import { isObject } from '#contract/json';

/** A tool and a route may also say in what they give back that they have failed. */
export function isFailure(result: unknown): boolean {
  if (!isObject(result)) return false;
  const { isError, status } = result;
  return isError === true || (typeof status === 'number' && status >= 400);
}
