import { isObject } from '#contract/json';
import { type ApiOperation, requestPath } from '../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { usableServer } from '../guess/guess-server.ts';

/** Addresses in a text, without the marks of Markdown and of sentences behind them. */
const addresses = /https?:\/\/[^\s"'`<>()[\]*]+(?<![.,;:!?])/gi;

/** Servers to try things out, of which texts speak beside the one that counts. */
const trial = /sandbox|test|stag(?:e|ing)|\bdev|demo|\buat\b|mock|localhost/i;

/** More addresses than the text of one operation has. */
const mostAddresses = 20;

/**
 * The server of a description that the text of an operation names as its own, by the address that the
 * server begins with or by the whole one of the operation; nothing where it names the usual one, too.
 */
export function toldServer(
  { root }: ApiDocument,
  operation: ApiOperation,
  { usual, origin }: { readonly usual: string; readonly origin: string | undefined },
): string | undefined {
  const { description } = operation.node;
  if (typeof description !== 'string') return undefined;
  const named = [...description.matchAll(addresses)]
    .slice(0, mostAddresses)
    .map(([address]) => address.replace(/\/$/, ''));
  const path = requestPath(operation);
  const found = (root.servers ?? []).filter(isObject).flatMap((server) => {
    const url = usableServer(server, origin)?.url;
    if (url === undefined) return [];
    const written = String(server['url']).replace(/\/$/, '');
    const own = [url, written].flatMap((start) => [start, start + path]);
    return own.some((each) => named.includes(each)) ? [url] : [];
  });
  return found.includes(usual) ? undefined : found.find((url) => !trial.test(url));
}
