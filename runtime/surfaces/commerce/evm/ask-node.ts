import { mostRpcBytes } from '../numbers.ts';

/**
 * Ask a node of a chain and read its whole answer, within the time of the request. A node sends nobody
 * elsewhere: its address has a key in it, often.
 *
 * @throws where it answers with more than `mostRpcBytes`, or with a redirect
 */
export async function askNode(
  url: Parameters<typeof fetch>[0],
  request?: RequestInit,
): Promise<Response> {
  const { body, status, headers } = await fetch(url, { ...request, redirect: 'error' });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostRpcBytes) throw new Error('the node answers with more than it was asked for');
    chunks.push(chunk);
  }
  return new Response(bytes > 0 ? Buffer.concat(chunks) : null, { status, headers });
}
