/**
 * What is used of `node:http`. An import of it reads all that it exports, and one of these is a
 * getter that loads the whole of `fetch`: a twentieth of the start.
 */
export const { createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http');
