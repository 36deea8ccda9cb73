import { type Outbound, OutboundError } from '#contract/house/outbound';
import { clientDocumentBytes, clientDocumentKeepMs, longestUrl } from '../numbers.ts';
import type { OAuthClient } from './client.ts';
import { digestOf, MetadataError, parseMetadata } from './client-metadata.ts';

/** What nobody may publish of himself in a document that all can read. */
const secretMembers = ['client_secret', 'client_secret_expires_at'];

/** Whether an id of a client is the address of the document that describes it. */
export function isDocumentId(id: string): boolean {
  return id.startsWith('https://');
}

/**
 * Read the document that a client publishes at its own id (draft-ietf-oauth-client-id-metadata-document,
 * sections 3 and 4).
 *
 * @throws MetadataError where there is none that can be used; what was fetched is not told, and why
 * nothing was is its cause, for the operator alone
 */
export async function readClientDocument(id: string, outbound: Outbound): Promise<OAuthClient> {
  checkDocumentId(id);
  const rules = { maxBytes: clientDocumentBytes, keepMs: clientDocumentKeepMs };
  const { value } = await outbound.document(id, rules).catch((error: unknown) => {
    // Why it failed would say what can be reached from here.
    if (!(error instanceof OutboundError)) throw error;
    const refused = wrong('its document could not be fetched');
    refused.cause = error;
    throw refused;
  });
  if (value['client_id'] !== id) throw wrong('the client_id in its document is not its address');
  const secret = secretMembers.find((name) => Object.hasOwn(value, name));
  if (secret !== undefined) throw wrong(`its document must not hold ${secret}`);
  const metadata = parseMetadata(value, {
    defaultMethod: 'none',
    needsRedirect: true,
    ignoresOthers: true,
    limitsScope: false,
  });
  if (metadata.name === '') throw wrong('its document has no client_name');
  if (metadata.method.startsWith('client_secret')) {
    throw wrong('its document asks for a secret, which it could not have');
  }
  return { ...metadata, id, kind: 'document', secretHash: '', digest: digestOf(metadata, '') };
}

/** The address must be one that is written in one way only, so that no two ids mean one client. */
function checkDocumentId(id: string): void {
  const url = URL.parse(id);
  if (url === null || id.length > longestUrl) throw wrong('its client_id is no URL');
  if (url.href !== id) throw wrong('its client_id is not written as URLs are');
  if (url.username !== '' || url.password !== '') throw wrong('its client_id holds a user name');
  if (id.includes('#')) throw wrong('its client_id has a fragment');
  if (url.pathname === '/') throw wrong('its client_id has no path');
  if (/(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(url.pathname)) {
    throw wrong('its client_id has dot segments');
  }
}

function wrong(reason: string): MetadataError {
  return new MetadataError('invalid_client_metadata', `the client cannot be used: ${reason}`);
}
