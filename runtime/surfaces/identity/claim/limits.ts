/** Codes that may be wrong before an attempt is locked. */
export const wrongCodesPerAttempt = 5;
/** Attempts that one registration can have. */
export const attemptsPerClaim = 10;
