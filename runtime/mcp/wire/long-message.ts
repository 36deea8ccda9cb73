import { isRequestId, type RequestId } from './json-rpc.ts';

const id = String.raw`"id"\s*:\s*(-?\d{1,16}|"(?:[^"\\]|\\.){0,128}")\s*`;
const first = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?${id},`);
const last = new RegExp(String.raw`(?<!\\)${id}\}\s*$`);

/** So much of each end of such a message is looked at, in bytes. */
export const endBytes = 256;

/**
 * The id of a message that is too long to be read, so that its sender does not wait for ever. It is
 * found where it stands at the beginning or at the end, as most programs write it.
 */
export function idOfLong(start: Buffer, end: Buffer): RequestId | undefined {
  const [, found] = first.exec(start.toString('utf8')) ?? last.exec(end.toString('utf8')) ?? [];
  if (found === undefined) return undefined;
  const value: unknown = JSON.parse(found);
  return isRequestId(value) ? value : undefined;
}
