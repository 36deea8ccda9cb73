import type { Provider, ProviderAuth } from '#contract/provider';
import { isSecretVariable } from '#contract/secret-values';
import type { VendorTool } from '#contract/tool';
import { variablesOf } from '../credentials/companions.ts';
import { findCredential } from '../credentials/credential.ts';
import { type LinkParts, linkWithCredential, type ProviderLink } from './provider-link.ts';

/** The ways to vendors of tools that take another credential than is usual there. */
export class ToolLinks {
  readonly #parts: LinkParts;
  readonly #links = new Map<string, ProviderLink>();

  constructor(parts: LinkParts) {
    this.#parts = parts;
  }

  /**
   * The way that a tool takes: with what it asks for, where the operator has set it. What
   * `SERVICE_PROVIDER_AUTH_JSON` says of a provider is for all of its tools that have nothing else. A
   * tool that takes `none` does without; keys that come with the usual credential stay here.
   *
   * @throws ToolError `missing_credential` when one is set but cannot be used
   */
  of(link: ProviderLink, { auth }: Pick<VendorTool, 'auth'>): ProviderLink {
    if (auth === undefined) return link;
    const key = `${link.provider.id} ${auth.join(' ')}`;
    const known = this.#links.get(key);
    if (known !== undefined) return known;
    const made = this.#make(link, auth);
    this.#links.set(key, made);
    return made;
  }

  #make(link: ProviderLink, names: readonly string[]): ProviderLink {
    const { provider } = link;
    const { env, authJson } = this.#parts.options;
    const schemes = names.flatMap((name): ProviderAuth | readonly [] =>
      name === 'none' ? { type: 'none' } : (provider.schemes?.[name] ?? []),
    );
    const isPublic = schemes.every(({ type }) => type === 'none');
    // What comes with the usual credential is no part of this one.
    const alone = { ...provider, auth: schemes, headers: {}, query: {} };
    const credential = findCredential(alone, env, undefined);
    const isGiven = authJson?.[provider.id] !== undefined && !isPublic;
    if (credential.state !== 'set' && isGiven) return link;
    // What the provider sends with everything goes out here, too, and must not come back.
    const secrets = [...credential.secrets, ...link.credential.secrets];
    const made = linkWithCredential(link, { ...credential, secrets }, this.#parts);
    return {
      ...made,
      headers: withoutKeys(link.headers, provider.headers),
      query: withoutKeys(link.query, provider.query),
    };
  }
}

/** The constants of which none is made from a variable that holds a secret. */
function withoutKeys(
  filled: Readonly<Record<string, string>>,
  templates: Provider['headers'] = {},
): Readonly<Record<string, string>> {
  const keys = Object.entries(templates)
    .filter(([, template]) => variablesOf(template).some(isSecretVariable))
    .map(([name]) => name.toLowerCase());
  return Object.fromEntries(
    Object.entries(filled).filter(([name]) => !keys.includes(name.toLowerCase())),
  );
}
