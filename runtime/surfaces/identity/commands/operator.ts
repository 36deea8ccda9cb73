/** Who is written down for what was done at the terminal. */
export const operator = { type: 'user', id: 'operator' } as const;
