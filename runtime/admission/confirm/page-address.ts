import type { Server } from 'node:http';

/** Where a person finds the page of an approval; nothing where this process serves no pages. */
export function approvalPage(
  { server }: { readonly server: Server },
  baseUrl: string | undefined,
  id: string,
): string | undefined {
  const address = server.listening ? server.address() : null;
  if (address === null || typeof address === 'string') return undefined;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  const base = baseUrl ?? `http://${host}:${address.port}`;
  return `${base.replace(/\/$/, '')}/approvals/${id}`;
}
