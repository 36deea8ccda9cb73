/**
 * One command; it gets the words behind its name and its own options, and gives the exit code of
 * the process.
 */
export type Command = (words: readonly string[], options: CommandOptions) => Promise<number>;

/** The values of the options that the entry of the command declares. */
export type CommandOptions = Readonly<Record<string, string | undefined>>;

/** Exit codes; those above 63 are the ones of sysexits.h, and `returned` is that of receipts alone. */
export const exitCode = { success: 0, failure: 1, usage: 2, returned: 3, config: 78 } as const;

/** The command line cannot be understood. */
export class UsageError extends Error {}
