import { type KeyObject, sign, verify } from 'node:crypto';
import { isObject } from '#contract/json';
import type { DetachedSignature } from '#contract/surface/document-signer';

/** A token in the compact form of RFC 7515 section 7.1, decoded; its signature is not verified. */
export interface CompactJws {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** What is signed (RFC 7515 section 5.1). */
  readonly input: string;
  readonly signature: Buffer;
}

const form = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
/** ECDSA over P-256 with SHA-256, as two numbers of 32 bytes (RFC 7518 section 3.4). */
const digest = 'sha256';
const dsaEncoding = 'ieee-p1363';

/**
 * Sign claims with ES256. In the thread that asks: handing so short a work to another thread takes
 * longer than the work.
 */
export function signCompactJws(
  header: { readonly typ: string; readonly kid: string },
  claims: Readonly<Record<string, unknown>>,
  key: KeyObject,
): string {
  const input = `${encoded({ alg: 'ES256', ...header })}.${encoded(claims)}`;
  const signature = sign(digest, Buffer.from(input), { key, dsaEncoding });
  return `${input}.${signature.toString('base64url')}`;
}

/** Sign a text that travels beside its signature (RFC 7515 appendix F), with ES256. */
export function signDetached(
  header: { readonly typ: string; readonly kid: string; readonly jku?: string },
  payload: string,
  key: KeyObject,
): DetachedSignature {
  const head = encoded({ alg: 'ES256', ...header });
  const input = Buffer.from(`${head}.${Buffer.from(payload).toString('base64url')}`);
  const signature = sign(digest, input, { key, dsaEncoding }).toString('base64url');
  return { protected: head, signature };
}

/** Whether a token was signed with the private key of this one, with ES256. */
export function isSignedWith({ input, signature }: CompactJws, key: KeyObject): boolean {
  return verify(digest, Buffer.from(input), { key, dsaEncoding }, signature);
}

/** Read a token without believing it; nothing where it is none, or not of claims (RFC 7519). */
export function readCompactJws(token: string): CompactJws | undefined {
  const [, head = '', body = '', signed = ''] = form.exec(token) ?? [];
  const header = decoded(head);
  const claims = decoded(body);
  if (!header || !claims) return undefined;
  const signature = Buffer.from(signed, 'base64url');
  return { header, claims, input: `${head}.${body}`, signature };
}

/** Who is said to have issued a token: it only decides who verifies it. */
export function unverifiedIssuer(token: string): string | undefined {
  const issuer = decoded(form.exec(token)?.[2] ?? '')?.['iss'];
  return typeof issuer === 'string' ? issuer : undefined;
}

/** With which key a token is said to be signed. */
export function unverifiedKeyId(token: string): string | undefined {
  const kid = decoded(form.exec(token)?.[1] ?? '')?.['kid'];
  return typeof kid === 'string' ? kid : undefined;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decoded(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
