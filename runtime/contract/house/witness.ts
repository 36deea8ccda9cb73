/** What became of a checkpoint that a log has submitted to its witness. */
export type Witnessing =
  /** The signature lines of the witness. */
  | { readonly kind: 'cosigned'; readonly lines: string }
  /** The log is mistaken about what was cosigned last: it was this size, of another root perhaps. */
  | { readonly kind: 'conflict'; readonly size: number };

/** Cosigns the checkpoints of logs that only grow (C2SP tlog-witness). */
export interface Witness {
  /** Verifier key of the cosignatures. */
  vkey(): string;
  /**
   * Cosign what a log submits in the body of add-checkpoint.
   *
   * @throws ServiceError with status 400, 403, 404 or 422, as the protocol asks for
   */
  addCheckpoint(body: string): Promise<Witnessing>;
  /** The checkpoint of a log that was cosigned last, with both signatures. */
  checkpoint(origin: string): Promise<string | undefined>;
}
