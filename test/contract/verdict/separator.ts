/** Stands between the objections to a request: messages of the mock hold semicolons. */
export const separator = ' | ';
