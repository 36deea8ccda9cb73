import type { Provider } from '#contract/provider';
import type { OutboundOptions } from '../call/options.ts';
import { isHeaderValue } from './header-safety.ts';
import { fillTemplate } from './template.ts';

/** Whom a vendor may write to when the operator names nobody. */
const projectUrl = 'https://agent-tool-server.dev';

/** Build the User-Agent (RFC 9110 section 10.1.5) that a provider's requests carry. */
export function userAgent(
  provider: Provider,
  { version, contact = projectUrl, env }: Pick<OutboundOptions, 'version' | 'contact' | 'env'>,
): string {
  const template = provider.userAgent ?? '{product}/{version} ({contact})';
  const words = { product: 'agent-tool-server', version, contact };
  const { text } = fillTemplate(template, { env, words });
  return text ?? `agent-tool-server/${version} (${contact})`;
}

/** Refuse a contact that no header can carry. */
export function checkContact(contact: string | undefined): void {
  if (contact === undefined || isHeaderValue(contact)) return;
  throw new Error('SERVICE_CONTACT must hold visible ASCII characters and blanks only');
}
