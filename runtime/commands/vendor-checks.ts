import type { Provider } from '#contract/provider';
import type { Finding } from '#contract/surface/finding';
import type { Service } from '../main.ts';
import { companionsOf, variablesText } from '../outbound/credentials/companions.ts';

/** What is wrong with one vendor, in words that also hold for several that share it. */
interface Trouble {
  readonly vendor: Provider;
  text(vendors: string): string;
  /** `address` is the variable that moves the server of a vendor. */
  fix(address: string): string;
}

type Outbound = Pick<Service['vendors']['outbound'], 'credential' | 'verify' | 'waysToConnect'>;

/**
 * Ask all vendors at once, because each may take its time. What is well is reported in the order of
 * the catalogue, then each trouble once: without a network, all vendors have the same one.
 */
export async function* checkVendors({
  outbound,
  providers,
}: {
  readonly outbound: Outbound;
  readonly providers: readonly Provider[];
}): AsyncGenerator<Finding> {
  const troubles: Trouble[] = [];
  for (const asked of providers.map((provider) => askVendor(outbound, provider))) {
    const answer = await asked;
    if ('vendor' in answer) troubles.push(answer);
    else yield answer;
  }
  const shared = Map.groupBy(troubles, ({ text, fix }) => `${text('')}\n${fix('')}`);
  for (const vendors of shared.values()) yield problem(vendors);
}

function problem(troubles: readonly Trouble[]): Finding {
  const [{ text, fix, vendor }, ...others] = troubles as [Trouble, ...Trouble[]];
  const address = others.length > 0 ? '<ID>' : vendor.id.toUpperCase();
  return {
    kind: 'problem',
    text: text(troubles.map((each) => each.vendor.title).join(', ')),
    fix: fix(`SERVICE_PROVIDER_${address}_URL`),
  };
}

async function askVendor(outbound: Outbound, vendor: Provider): Promise<Finding | Trouble> {
  const { title, homepage } = vendor;
  const variables = variablesOf(vendor);
  const set = variablesText(variables, companionsOf(vendor));
  if (outbound.credential(vendor) === 'missing') {
    if (outbound.waysToConnect(vendor).length > 0) {
      const text = `${title}: people connect their own accounts at /connect/${vendor.id}; without ${set}, nothing is shared`;
      return { kind: 'ok', text };
    }
    const fix = homepage === undefined ? `set ${set}` : `set ${set} (${homepage})`;
    return { vendor, text: (names) => `${names}: it needs a credential`, fix: () => fix };
  }
  const { ok, status, message } = await outbound.verify(vendor);
  const text = (names: string) =>
    message.startsWith(title) ? `${names}${message.slice(title.length)}` : `${names}: ${message}`;
  if (ok) return { kind: 'ok', text: text(title) };
  if (variables.length > 0 && (status === 401 || status === 403)) {
    return { vendor, text, fix: () => `check the value of ${set}` };
  }
  const fix = (address: string) =>
    status === undefined
      ? `check the network of this machine, and ${address} if it is set`
      : 'try again later; if it stays so, the vendor has changed';
  return { vendor, text, fix };
}

function variablesOf({ auth }: Provider): readonly string[] {
  return [...new Set(auth.flatMap((scheme) => (scheme.type === 'none' ? [] : scheme.env)))];
}
