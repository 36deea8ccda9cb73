/** The code for the members of one schema stands in each other: for some two thousand, it could not run. */
export const mostTogether = 100;
