/** What the generator says by its exit code. */
export const exitCodes = { ok: 0, drift: 1, errors: 2, usage: 3, internal: 70 } as const;
