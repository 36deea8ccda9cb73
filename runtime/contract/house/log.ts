/** Writes one line of the log: facts by their names, and a message in words. */
export interface LogMethod {
  (facts: object, message?: string): void;
  (message: string): void;
}

/** The log of the process, in which no value stands that is named like a secret. */
export interface Log {
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
}
