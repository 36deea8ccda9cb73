/** By what a session can be paid. */
export const ways = ['card', 'x402'] as const;

export type Way = (typeof ways)[number];
