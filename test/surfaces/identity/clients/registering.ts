export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
export const redirect = 'https://client.example/callback';

/** Where a client sends a person who shall let it in. */
export function authorizeUrl(base: string, client: string, redirectUri = redirect): URL {
  const url = new URL(`${base}/oauth2/authorize`);
  const parameters = {
    ...{ response_type: 'code', client_id: client, redirect_uri: redirectUri },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/** Ask to be known as a client, with this metadata. */
export async function register(base: string, metadata: unknown) {
  const answer = await fetch(`${base}/oauth2/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}
