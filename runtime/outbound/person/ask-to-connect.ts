import { setTimeout as sleep } from 'node:timers/promises';
import type { CallContext } from '#contract/caller';
import { InputRequired, lackedFor } from '#contract/client';
import type { PersonCredential, PersonCredentials } from '#contract/connect/person-credentials';
import { ToolError } from '#contract/errors';
import type { Provider } from '#contract/provider';

const key = 'connect';
/** How often a call looks that waits for a person who has opened the page. */
const lookMs = 250;

export interface Connecting {
  readonly credentials: PersonCredentials;
  readonly provider: Provider;
  /** How long a call waits for a person who has opened the page, in milliseconds. */
  readonly patienceMs: number;
}

/** Why somebody has to connect: nothing is connected, or the vendor has refused what is. */
export type WhyConnect = 'absent' | 'refused';

/**
 * Have the person connect their account: on a page that the client opens, else by an error that
 * names it. Comes back once it is done, with what was connected; with nothing where this process
 * serves no page.
 *
 * @throws InputRequired, ToolError `connection_required`
 */
export async function askToConnect(
  parts: Connecting,
  context: CallContext,
  why: WhyConnect,
): Promise<PersonCredential | undefined> {
  const { credentials, provider } = parts;
  const { caller, client, answers } = context;
  const place = credentials.place(caller, provider.id);
  if (!place) return undefined;
  const { title } = provider;
  const reason = reasons[why](title);
  if (place.url === undefined) {
    const { claimUrl } = place;
    const message = `${reason}, and nobody can connect one: ${place.why}`;
    throw new ToolError('connection_required', message, { provider: provider.id, claimUrl });
  }
  const { url } = place;
  const action = answers.responses[key]?.['action'];
  if (action === 'decline' || action === 'cancel') {
    const message = `${reason}, and the user does not want to connect one now; do not ask again unasked`;
    throw new ToolError('connection_required', message, { provider: provider.id, connectUrl: url });
  }
  if (action === 'accept') {
    const connected = await waitFor(parts, context);
    if (connected) return connected;
  }
  const request = {
    method: 'elicitation/create',
    params: {
      mode: 'url',
      url,
      message: `${reason}. Connect your account on this page; after that the call goes on.`,
    },
  } as const;
  // Whoever has opened the page once and not finished is told by an error, and not asked for ever.
  if (action === undefined && !lackedFor(request, client.capabilities)) {
    throw new InputRequired({ [key]: request }, answers.state);
  }
  const message = `${reason}; a person connects one at ${url}, and after that the same call succeeds`;
  throw new ToolError('connection_required', message, { provider: provider.id, connectUrl: url });
}

const reasons: Readonly<Record<WhyConnect, (title: string) => string>> = {
  absent: (title) => `this needs an account at ${title}, and none is connected`,
  refused: (title) => `${title} does not take the account any more that was connected`,
};

async function waitFor(
  { credentials, provider, patienceMs }: Connecting,
  { caller, signal }: CallContext,
): Promise<PersonCredential | undefined> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const found = await credentials.find(caller, provider.id);
    if (found !== undefined && found !== 'broken') return found;
    if (performance.now() >= end) return undefined;
    await sleep(lookMs, undefined, { signal });
  }
}
