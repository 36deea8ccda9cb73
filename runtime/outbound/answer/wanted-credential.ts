import type { Provider } from '#contract/provider';
import { type Headers, headerOf } from '../call/exchange.ts';
import type { Credential } from '../credentials/credential.ts';

/** What a request was sent with, and how its tool is described. */
export interface SentWith {
  readonly provider: Provider;
  readonly credential: Pick<Credential, 'state' | 'variables'>;
  /** The schemes that its tool names for itself. */
  readonly auth: readonly string[] | undefined;
}

/**
 * Schemes of HTTP (IANA, HTTP Authentication Schemes), and how the curation says those that it can. What else a
 * vendor names is not repeated.
 */
const known: Readonly<Record<string, readonly [name: string, curated?: string]>> = {
  basic: ['Basic', "type: basic, format: '{token}'"],
  bearer: ['Bearer', 'type: bearer'],
  digest: ['Digest'],
  dpop: ['DPoP'],
  mutual: ['Mutual'],
  negotiate: ['Negotiate'],
  ntlm: ['NTLM'],
};

/** So much of the challenges is read: what opens quotes and closes none is looked through for each of them. */
const readCharacters = 2_000;

/**
 * What an operator has to write where a vendor wants a credential (RFC 9110, section 11.6.1) of a request that went
 * without; nothing where one was sent.
 */
export function wantedCredential(headers: Headers, sent: SentWith): string | undefined {
  const { provider, credential, auth } = sent;
  if (credential.state === 'set') return undefined;
  const challenges = headerOf(headers, 'www-authenticate') ?? '';
  const schemes = schemesIn(challenges.slice(0, readCharacters));
  const named = schemes.length === 0 ? '' : ` (${schemes.map(([name]) => name).join(' or ')})`;
  const start = `${provider.title} wants a credential${named}, and none was sent: `;
  const { variables } = credential;
  if (variables.length > 0) return `${start}the operator of this server sets ${variables[0]}.`;
  const file = `specs/providers/${provider.id}/curation.yaml`;
  if (auth?.includes('none') && provider.auth.some(({ type }) => type !== 'none'))
    return `${start}the operator of this server takes auth: [none] off this tool in ${file}, and generates anew.`;
  const curated = schemes.find(([, entry]) => entry !== undefined)?.[1] ?? 'type: bearer';
  const variable = `SERVICE_${provider.id.toUpperCase()}_TOKEN`;
  const entry = `auth: [{ ${curated}, env: [${variable}], required: true }]`;
  return `${start}the operator of this server writes ${entry} into ${file}, generates anew, and sets ${variable}.`;
}

/** The schemes of a list of challenges; their parameters are passed over. */
function schemesIn(challenges: string) {
  const names = challenges
    .replace(/"(?:[^"\\]|\\.)*"/g, '')
    .split(',')
    .map((part) => part.trim().split(/\s/, 1)[0]?.toLowerCase() ?? '');
  return [...new Set(names)].flatMap((name) => {
    const scheme = Object.hasOwn(known, name) ? known[name] : undefined;
    return scheme === undefined ? [] : [scheme];
  });
}
