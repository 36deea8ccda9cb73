/** How long a person may stay at the vendor before they come back. */
export const attemptMs = 600_000;
/** So long before its end a token is renewed. */
export const earlyMs = 60_000;
/** How long a replica may take to renew a token before another one tries. */
export const leaseMs = 30_000;
/** How often who waits for that looks. */
export const lookMs = 100;
/** Most bytes of what a vendor answers. */
export const mostBytes = 262_144;
/** Time of one request to a vendor's authorization server. */
export const vendorMs = 10_000;
/** How long attempts stay after their end, so that it can still be said that they have ended. */
export const keptMs = 86_400_000;
/** Rows that are read at a time to be sealed anew. */
export const mostResealed = 500;
/** Characters of what a vendor calls an account. */
export const longestAccount = 120;
/** Accounts that the terminal lists. */
export const mostListed = 1000;
/** Characters of a token: what a header can carry. */
export const longestToken = 8192;
/** After this long a token is renewed, whatever the vendor says. */
export const longestLifeMs = 315_360_000_000;
/** How long a token is not renewed again that the vendor has refused right after it was renewed. */
export const refusedMs = 300_000;
/** Accounts of which that is known. */
export const mostRefused = 1000;
