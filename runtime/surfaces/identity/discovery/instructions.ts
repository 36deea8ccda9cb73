import type { Discovery } from './discovery.ts';
import { agentErrors } from './error-table.ts';

/** What an agent reads to get access, in the order in which it does things. */
export function agentInstructions(parts: Discovery): string {
  const { registrations, canClaim } = parts.offers;
  const sections = [
    preamble(parts),
    discover(parts),
    ...(registrations.length > 0 ? [choose(parts), register(parts)] : []),
    ...(canClaim ? [claim(parts)] : []),
    exchange(parts),
    use(parts),
    ...(registrations.length > 0 ? [errorTable()] : []),
    revocation(parts),
    scopeTable(parts),
    limits(),
    ...contact(parts),
  ];
  return `${sections.join('\n\n')}\n`;
}

function preamble({ addresses }: Discovery): string {
  return `# Access to ${addresses.base()}

This server offers tools over MCP at ${addresses.mcp()}. This page says how an agent gets access to it: it
registers itself, a person claims it where more is needed, and it trades its assertion for access tokens.
Keep the claim token in memory only. Keep assertions and refresh tokens outside of the chat.`;
}

function discover({ addresses }: Discovery): string {
  return `## 1. Discover

A request without a token is answered with 401 and \`WWW-Authenticate: Bearer resource_metadata="..."\`.
That document addresses the authorization server, whose metadata stand at
${addresses.url('/.well-known/oauth-authorization-server')}; its member \`agent_auth\` addresses the endpoints below.
A client with a person at its browser uses the authorization code flow with PKCE that the metadata describe.`;
}

const kinds = {
  identity_assertion:
    '`identity_assertion`: you can get an ID-JAG for your user from a provider that this server trusts',
  service_auth: '`service_auth`: you know the e-mail address of your user, who will claim you',
  anonymous:
    '`anonymous`: you know nothing of that; you get the least access, and may be claimed later',
} as const;

const preferred = ['identity_assertion', 'service_auth', 'anonymous'] as const;

function choose({ offers }: Discovery): string {
  const offered = preferred.filter((kind) => offers.registrations.includes(kind));
  const lines = offered.map((kind, index) => `${index + 1}. ${kinds[kind]}.`);
  return `## 2. Choose how to register\n\nTake the first that fits:\n\n${lines.join('\n')}`;
}

function register({ addresses, offers, scopes }: Discovery): string {
  const [scope = 'mcp.tools'] = scopes.mcp;
  const bodies = {
    identity_assertion: `{"type":"identity_assertion","assertion_type":"urn:ietf:params:oauth:token-type:id-jag","assertion":"<ID-JAG>"}`,
    service_auth: `{"type":"service_auth","email":"<address of your user>","scopes":["${scope}"]}`,
    anonymous: `{"type":"anonymous","client_name":"<your name>","scopes":["${scope}"]}`,
  };
  const samples = preferred
    .filter((kind) => offers.registrations.includes(kind))
    .map(
      (kind) =>
        `\`\`\`http\nPOST ${addresses.url('/agent/identity')}\nContent-Type: application/json\n\n${bodies[kind]}\n\`\`\``,
    );
  return `## 3. Register

${samples.join('\n\n')}

The answer has \`registration_id\`, \`status\`, \`pre_claim_scopes\`, \`post_claim_scopes\`, where you can be claimed
\`claim\` with \`token\`, \`url\` and \`expires_at\`, and where you need no claim to begin \`identity_assertion\` with
\`assertion_expires\`. \`service_auth\` gets no assertion before it is claimed. Such as:

\`\`\`json
{
  "registration_id": "reg_...",
  "status": "unclaimed",
  "identity_assertion": "eyJ...",
  "assertion_expires": "2026-11-22T13:00:00.000Z",
  "scopes": { "pre_claim": ["${scope}"], "post_claim": ["${scope}"] },
  "claim": { "token": "clm_...", "url": "${addresses.url('/agent/identity/claim')}", "expires_at": "2026-11-23T12:00:00.000Z" }
}
\`\`\``;
}

function claim({ addresses, offers }: Discovery): string {
  const vouched = `

Registered as \`anonymous\`, and with an ID-JAG for your user by now, send \`{"type":"identity_assertion",
"claim_token":"clm_...","assertion":"<ID-JAG>"}\` to the same address. With \`status\` \`claimed\` you are done, otherwise the
answer has an attempt as above.`;
  const ways = offers.registrations.includes('identity_assertion') ? vouched : '';
  return `## 4. Be claimed

1. Without an attempt in your answer, ask for one: \`POST ${addresses.url('/agent/identity/claim')}\` with
   \`{"claim_token":"clm_...","email":"<address of your user>"}\`.
2. Give your user the \`verification_uri\` and say: "Open this page, check that it addresses me and what I asked for,
   confirm, and read the code to me." Never ask for a password.
3. Send the code that they read to you: \`POST ${addresses.url('/agent/identity/claim/complete')}\` with
   \`{"claim_token":"clm_...","user_code":"XXXX-XXXX"}\`. The answer has the new assertion and a refresh token.

If your user cannot read it to you, tell them the \`user_code\` of your attempt, which they type on the page, and ask
\`GET ${addresses.url('/agent/identity/claim/view')}\` with \`Authorization: Bearer clm_...\` every \`interval\` seconds
until \`status\` is \`claimed\`.${ways}`;
}

function exchange({ addresses }: Discovery): string {
  return `## 5. Get an access token

\`\`\`http
POST ${addresses.url('/.well-known/oauth-authorization-server/token')}
Content-Type: application/x-www-form-urlencoded

grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=<identity_assertion>
\`\`\`

The answer has \`access_token\`, \`token_type\`, \`expires_in\` and \`scope\`. \`scope\` in the request narrows what you get,
\`resource\` says for what: ${addresses.mcp()} (without it) or ${addresses.base()}.`;
}

function use({ addresses }: Discovery): string {
  return `## 6. Use and refresh

Send \`Authorization: Bearer <access_token>\` with every request, never in a URL. When the token has expired, exchange
the assertion again. When the assertion has expired, send \`{"type":"refresh","refresh_token":"art_..."}\` to
${addresses.url('/agent/identity')}; each refresh token is used once, the answer has the next one. On 403
\`insufficient_scope\` the answer says which scopes are missing and where your user can grant them.`;
}

function errorTable(): string {
  const rows = agentErrors.map(
    ({ error, status, action }) => `| \`${error}\` | ${status} | ${action} |`,
  );
  return `## Errors\n\n| Error | Status | What to do |\n|---|---|---|\n${rows.join('\n')}`;
}

function revocation({ addresses, offers }: Discovery): string {
  const own = offers.canRevoke
    ? `Send \`token=<token>\` as a form to ${addresses.url('/oauth2/revoke')} when you need it no more (RFC 7009). `
    : '';
  return `## Revocation\n\n${own}Your user can take your access back at any time; your tokens are worth nothing from then on.`;
}

function scopeTable({ scopes, catalogue }: Discovery): string {
  const when = {
    pre: 'at once',
    post: 'when claimed',
    ask: 'when asked for and claimed',
    oauth: 'in the browser flow',
    operator: 'never',
  };
  const rows = scopes.all.map((name) => {
    const scope = catalogue[name];
    return scope ? `| \`${name}\` | ${scope.consent} | ${when[scope.tier]} |` : '';
  });
  return `## Scopes\n\n| Scope | What it allows | Granted |\n|---|---|---|\n${rows.join('\n')}`;
}

function contact({ contact: whom }: Discovery): readonly string[] {
  return whom === undefined
    ? []
    : [`## Contact\n\nThe operator of this server can be reached at ${whom}.`];
}

function limits(): string {
  return `## Limits

Access tokens and assertions last an hour, refresh tokens 30 days, claim tokens a day, and the page and codes of an
attempt ten minutes. Requests that come too often are answered with 429 and \`Retry-After\`.`;
}
