import { ToolError } from '#contract/errors';
import type { Provider, ProviderAuth } from '#contract/provider';
import type { Environment } from '../call/options.ts';
import { isHeaderName, isHeaderValue } from '../connection/header-safety.ts';
import { fillTemplate } from '../connection/template.ts';

/** A credential in the form in which it travels. */
export interface WireCredential {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Texts that must not leave this process in any other way. */
  readonly secrets: readonly string[];
}

/** A way in which a credential travels. */
export type Scheme = Exclude<ProviderAuth, { readonly type: 'none' }>;

/** Whose credential it is, and what else its format may name. */
export interface Owner {
  readonly provider: Provider;
  readonly env: Environment;
}

/**
 * Bring a token into the form that its scheme wants.
 *
 * @throws ToolError `missing_credential`
 */
export function onTheWire(scheme: Scheme, token: string, owner: Owner): WireCredential {
  switch (scheme.type) {
    case 'bearer':
      return inHeader(owner, 'authorization', { value: `Bearer ${token}`, token });
    case 'basic': {
      const encoded = Buffer.from(fillFormat(scheme.format, token, owner)).toString('base64');
      const wire = inHeader(owner, 'authorization', { value: `Basic ${encoded}`, token });
      return { ...wire, secrets: [...wire.secrets, encoded] };
    }
    case 'api_key': {
      const value = fillFormat(scheme.format, token, owner);
      if (scheme.in === 'query') {
        return { headers: {}, query: { [scheme.name]: value }, secrets: [value, token] };
      }
      if (scheme.in === 'header') return inHeader(owner, scheme.name, { value, token });
      return inHeader(owner, 'cookie', { value: `${scheme.name}=${value}`, token });
    }
    default:
      return scheme satisfies never;
  }
}

/** @throws ToolError `missing_credential` when a header cannot carry it */
export function inHeader(
  { provider }: Owner,
  name: string,
  { value, token }: { value: string; token: string },
): WireCredential {
  if (!isHeaderName(name)) throw unusable(provider, 'it names a header that cannot be sent');
  if (isHeaderValue(value)) {
    return { headers: { [name.toLowerCase()]: value }, query: {}, secrets: [value, token] };
  }
  throw unusable(provider, 'it holds characters that a header cannot carry');
}

function fillFormat(format: string, token: string, { provider, env }: Owner): string {
  const filled = fillTemplate(format, { env, words: { token } });
  if (filled.text !== undefined) return filled.text;
  throw unusable(provider, `${filled.missing} must be set too`);
}

/** A credential that is there and does not work. */
export function unusable(provider: Provider, reason: string, cause?: unknown): ToolError {
  return new ToolError(
    'missing_credential',
    `the credential of ${provider.title} cannot be used: ${reason}`,
    { provider: provider.id, retryable: false },
    cause,
  );
}
