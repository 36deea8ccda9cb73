import type { VendorTool } from '#contract/tool';
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
   * `SERVICE_PROVIDER_AUTH_JSON` says of a provider is for all of its tools that have nothing else.
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
    const schemes = names.flatMap((name) => provider.schemes?.[name] ?? []);
    // What comes with the usual credential is no part of this one.
    const alone = { ...provider, auth: schemes, headers: {}, query: {} };
    const credential = findCredential(alone, env, undefined);
    const isGiven = authJson?.[provider.id] !== undefined;
    if (credential.state !== 'set' && isGiven) return link;
    // What the provider sends with everything goes out here, too, and must not come back.
    const secrets = [...credential.secrets, ...link.credential.secrets];
    return linkWithCredential(link, { ...credential, secrets }, this.#parts);
  }
}
