import type { GateClaims } from '#contract/telemetry/browser-gate';

const algorithm = { name: 'HMAC', hash: 'SHA-256' } as const;
const longestToken = 2048;
/** Clocks of two machines may differ by so much. */
const leewaySeconds = 30;
const mostRemembered = 1000;

/** Make a token (RFC 7515, compact serialisation; HS256 of RFC 7518). */
export async function signToken(claims: GateClaims, bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', copyOf(bytes)));
  const kid = base64url(digest.subarray(0, 6));
  const head = encode(JSON.stringify({ alg: 'HS256', typ: 'JWT', kid }));
  const signed = `${head}.${encode(JSON.stringify(claims))}`;
  const key = await crypto.subtle.importKey('raw', copyOf(bytes), algorithm, false, ['sign']);
  const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(signed));
  return `${signed}.${base64url(new Uint8Array(mac))}`;
}

/**
 * Verifies tokens of one project (RFC 8725): what they say of their algorithm decides nothing. Tokens that
 * were good are remembered until they expire, for a page sends the same one with everything.
 */
export class TokenVerifier {
  readonly #keys: readonly Promise<CryptoKey>[];
  readonly #project: string;
  readonly #known = new Map<string, GateClaims>();

  constructor(keys: readonly Uint8Array[], project: string) {
    if (keys.some(({ length }) => length < 32)) {
      throw new Error('a key of tokens has 32 bytes or more');
    }
    this.#project = project;
    this.#keys = keys.map((bytes) =>
      crypto.subtle.importKey('raw', copyOf(bytes), algorithm, false, ['verify']),
    );
  }

  /** What the token says; nothing where it is not good now. */
  async verify(token: string, nowMs: number): Promise<GateClaims | undefined> {
    const claims = this.#known.get(token) ?? (await this.#read(token));
    if (claims === undefined) return undefined;
    const seconds = nowMs / 1000;
    if (claims.exp + leewaySeconds <= seconds || claims.iat - leewaySeconds > seconds) {
      this.#known.delete(token);
      return undefined;
    }
    if (!this.#known.has(token)) this.#remember(token, claims);
    return claims;
  }

  async #read(token: string): Promise<GateClaims | undefined> {
    if (token.length > longestToken) return undefined;
    const [head, body, mac, ...rest] = token.split('.');
    if (!head || !body || !mac || rest.length > 0) return undefined;
    const given = decode(mac);
    if (objectIn(head)?.['alg'] !== 'HS256' || given === undefined) return undefined;
    const signed = new TextEncoder().encode(`${head}.${body}`);
    const found = await Promise.all(
      this.#keys.map(async (key) => crypto.subtle.verify('HMAC', await key, given, signed)),
    );
    if (!found.includes(true)) return undefined;
    const claims = objectIn(body);
    return claims && isClaims(claims) && claims.project === this.#project ? claims : undefined;
  }

  #remember(token: string, claims: GateClaims): void {
    if (this.#known.size >= mostRemembered) {
      const [oldest] = this.#known.keys();
      if (oldest !== undefined) this.#known.delete(oldest);
    }
    this.#known.set(token, claims);
  }
}

function isClaims(
  value: Readonly<Record<string, unknown>>,
): value is Record<string, unknown> & GateClaims {
  const { aud, sub, project, origin, iat, exp } = value;
  return (
    aud === 'telemetry' &&
    [sub, project, origin].every((text) => typeof text === 'string') &&
    [iat, exp].every((time) => typeof time === 'number')
  );
}

function objectIn(text: string): Record<string, unknown> | undefined {
  const bytes = decode(text);
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function encode(text: string): string {
  return base64url(new TextEncoder().encode(text));
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function decode(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  try {
    const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Keys lie in memory that nobody shares. */
function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes);
}
