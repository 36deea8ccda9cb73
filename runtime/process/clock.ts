/**
 * What `performance` names, for what reads the time with every request: the name is a getter of the
 * global object, which takes longer than the clock itself.
 */
export const { performance: clock } = globalThis;
