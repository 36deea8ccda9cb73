import { ServiceError } from '#contract/errors';

/**
 * A client that is not who it says it is, or does not say so (RFC 6749 section 5.2). `usedBasic`
 * where it came with the header Authorization, to which the answer has to be a challenge.
 */
export function invalidClient(message: string, usedBasic = false): ServiceError {
  return new ServiceError('invalid_client', 401, message, {
    // No token helps here: without a header of its own it would be told to get one.
    headers: usedBasic ? { 'www-authenticate': 'Basic realm="token", charset="UTF-8"' } : {},
  });
}

/** An error of the token endpoint with status 400 (RFC 6749 section 5.2). */
export function oauthRefusal(code: string, message: string): ServiceError {
  return new ServiceError(code, 400, message);
}
