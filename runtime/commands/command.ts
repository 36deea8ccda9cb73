/** One command; it gets the words behind its name and gives the exit code of the process. */
export type Command = (words: readonly string[]) => Promise<number>;

/** Exit codes; those above 63 are the ones of sysexits.h. */
export const exitCode = { success: 0, failure: 1, usage: 2, config: 78 } as const;

/** The command line cannot be understood. */
export class UsageError extends Error {}
