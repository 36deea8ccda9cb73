/** What had come of an answer when its connection ended in the middle of it. */
export interface CameUntil {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Bytes of the body. */
  readonly bytes: number;
  /** The beginning of the body. */
  readonly start: Buffer;
}

/** The error of a connection, with what had come of the answer until then. */
export class CutOffAnswer extends Error {
  readonly came: CameUntil;
  /** As the connection has it. */
  readonly code: unknown;

  constructor(came: CameUntil, cause: Error) {
    super(cause.message, { cause });
    this.came = came;
    this.code = 'code' in cause ? cause.code : undefined;
  }
}
