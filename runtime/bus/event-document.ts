import { readFile } from 'node:fs/promises';
import type { JsonObject } from '#contract/json';

const file = new URL('../../generated/docs/asyncapi.json', import.meta.url);

let reading: Promise<JsonObject> | undefined;

/** The AsyncAPI document that was generated with this server; it is read once. */
export function eventDocument(): Promise<JsonObject> {
  reading ??= readFile(file, 'utf8').then((text): JsonObject => JSON.parse(text));
  return reading;
}
