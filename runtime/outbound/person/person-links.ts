import { LRUCache } from 'lru-cache';
import type { PersonCredential } from '#contract/connect/person-credentials';
import type { Provider } from '#contract/provider';
import type { Tool, VendorTool } from '#contract/tool';
import type { Environment } from '../call/options.ts';
import { onTheWire } from '../credentials/wire-credential.ts';
import type { ProviderLink } from '../request/provider-link.ts';
import { schemeOf } from './connect-ways.ts';

/** Credentials of people whose ways to their vendors are kept at hand. */
const mostLinks = 1000;

/** The way to a vendor with one credential, and the tools that were bound to it. */
interface PersonLink {
  readonly version: number;
  readonly link: ProviderLink;
  readonly calls: Map<VendorTool, Tool['call']>;
}

export interface PersonLinksParts {
  /** The way with the operator's credential, or none. */
  readonly link: (provider: Provider) => ProviderLink;
  /** The same way with another credential. */
  readonly withCredential: (
    base: ProviderLink,
    credential: ProviderLink['credential'],
  ) => ProviderLink;
  readonly env: Environment;
}

/** The ways to the vendors with the credentials of people; those that are used least are forgotten. */
export class PersonLinks {
  readonly #parts: PersonLinksParts;
  readonly #links = new LRUCache<string, PersonLink>({ max: mostLinks });

  constructor(parts: PersonLinksParts) {
    this.#parts = parts;
  }

  /** A tool with the credential of a person; `bind` makes what is not there yet. */
  async call(
    provider: Provider,
    credential: PersonCredential,
    tool: VendorTool,
    bind: (link: ProviderLink) => Tool['call'],
  ): Promise<Tool['call']> {
    const { link, calls } = await this.#linkOf(provider, credential);
    const known = calls.get(tool);
    if (known) return known;
    const call = bind(link);
    calls.set(tool, call);
    return call;
  }

  /**
   * The way to a vendor with a credential that nobody has connected yet.
   *
   * @throws ToolError `missing_credential` where it cannot travel
   */
  open(provider: Provider, scheme: string, token: string): ProviderLink {
    const { link, withCredential, env } = this.#parts;
    const found = schemeOf(provider, scheme);
    if (!found) throw new Error(`${provider.id} has no scheme ${scheme}`);
    const variable = 'what was connected';
    const wire = onTheWire(found, token, { provider, env, variable });
    return withCredential(link(provider), { ...wire, state: 'set', variables: [] });
  }

  async #linkOf(provider: Provider, credential: PersonCredential): Promise<PersonLink> {
    const { id, version, scheme } = credential;
    const known = this.#links.get(id);
    if (known?.version === version) return known;
    const opened = this.open(provider, scheme, await credential.open());
    // The vendor goes on counting for the same account.
    const link = known ? { ...opened, gate: known.link.gate } : opened;
    const made = { version, link, calls: new Map() };
    this.#links.set(id, made);
    return made;
  }
}
