import { createRequire } from 'node:module';

/**
 * For `node --import` before Prism: it writes every reference of a document out again on every path,
 * which of some documents ends in no time that anybody has. So they are left where they stand, and
 * what is in other files is brought into this one.
 */
const ofCli = createRequire(
  createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json'),
);
const ofHttp = createRequire(ofCli.resolve('@stoplight/prism-http'));
const Parser = ofHttp('@stoplight/json-schema-ref-parser');
Parser.prototype.dereference = Parser.prototype.bundle;
