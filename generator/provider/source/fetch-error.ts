/** A description could not be fetched; the message says why, without a credential. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
}
