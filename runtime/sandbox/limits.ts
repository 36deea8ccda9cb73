/** What one script may use. */
export interface ScriptLimits {
  /** Bytes of everything that the interpreter holds. */
  readonly memoryBytes: number;
  /** Time that the script itself computes; waiting for tools does not count. */
  readonly cpuMs: number;
  /** Bytes of the interpreter's stack. */
  readonly stackBytes: number;
  /** Calls of tools. */
  readonly calls: number;
  /** Calls that run at the same time; more of them wait. */
  readonly callsAtOnce: number;
  /** Characters of the JSON text of the arguments of one call. */
  readonly argumentCharacters: number;
  /** Characters of the JSON text of what one call gives to the script. */
  readonly answerCharacters: number;
  /** Characters of the JSON text of what the script gives back. */
  readonly resultCharacters: number;
  /** Characters of everything that it prints. */
  readonly outputCharacters: number;
}

export const defaultLimits: ScriptLimits = {
  memoryBytes: 32 * 1024 * 1024,
  cpuMs: 1000,
  stackBytes: 256 * 1024,
  calls: 100,
  callsAtOnce: 8,
  argumentCharacters: 256 * 1024,
  answerCharacters: 1024 * 1024,
  resultCharacters: 256 * 1024,
  outputCharacters: 16 * 1024,
};
