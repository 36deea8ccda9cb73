/** One JSON text after the other: on lines, as RFC 7464 has them, or both (OpenAPI 3.2, sequential media types). */
const sequences =
  /^application\/(?:(?:x-)?(?:ndjson|jsonl|json-lines|jsonlines|ldjson)|json-seq|stream\+json)$/;

/** Whether a Content-Type is that of JSON texts one after the other. */
export function isJsonSequence(contentType: string): boolean {
  return sequences.test((contentType.split(';', 1)[0] ?? '').trim().toLowerCase());
}
