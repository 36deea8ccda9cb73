/** The file that a draft of "acme" is written to. */
export const curation = 'specs/providers/acme/curation.yaml';
/** The only answer of an operation. */
export const answer = { responses: { 200: { description: 'ok' } } };

/** A description with one operation beside others. */
export function described(paths: object, info: object = {}): string {
  return JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'Things', version: '1', ...info },
    servers: [{ url: 'https://api.things.example' }],
    paths: { '/things': { get: { operationId: 'list_things', ...answer } }, ...paths },
  });
}
