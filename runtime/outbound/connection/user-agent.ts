import { isLoopback } from '#contract/config/loopback';
import type { Provider } from '#contract/provider';
import type { OutboundOptions } from '../call/options.ts';
import { isHeaderValue } from './header-safety.ts';
import { fillTemplate } from './template.ts';

type OperatorWords = Pick<OutboundOptions, 'version' | 'contact' | 'ownUrl' | 'env'>;

const product = 'agent-tool-server';

/**
 * Build the User-Agent (RFC 9110 section 10.1.5) that a provider's requests carry. It names whom the
 * vendor may write to and where this server stands, as far as the operator has said so.
 */
export function userAgent(
  provider: Provider,
  { version, contact, ownUrl, env }: OperatorWords,
): string {
  const operator = [contact, publicOrigin(ownUrl)].filter((part) => part !== undefined).join('; ');
  const usual = `${product}/${version}${operator === '' ? '' : ` (${operator})`}`;
  const template = provider.userAgent ?? usual;
  // A text that is written around a name says nothing without one.
  if (operator === '' && template.includes('{contact}')) return usual;
  const words = { product, version, contact: operator };
  return fillTemplate(template, { env, words }).text ?? usual;
}

/** The address of this server without its path; one of this machine alone tells a vendor nothing. */
function publicOrigin(url: string | undefined): string | undefined {
  const parsed = URL.parse(url ?? '');
  return parsed === null || isLoopback(parsed.hostname) ? undefined : parsed.origin;
}

/** Refuse a contact that no header can carry. */
export function checkContact(contact: string | undefined): void {
  if (contact === undefined || isHeaderValue(contact)) return;
  throw new Error('SERVICE_CONTACT must hold visible ASCII characters and blanks only');
}
