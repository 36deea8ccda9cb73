import type { OAuthConnect } from '#contract/connect/ways';

/** The header with which a client proves who it is (RFC 7617), as the vendor has it. */
export function basicOf(
  clientAuth: OAuthConnect['clientAuth'],
  { id, secret }: { readonly id: string; readonly secret: string },
): string {
  const text =
    clientAuth === 'secret_as_user' ? `${secret}:` : [id, secret].map(encodeURIComponent).join(':');
  return `Basic ${Buffer.from(text).toString('base64')}`;
}
