import { defaultTenant } from '#contract/tenant/tenants';
import { mostUntoldMs, settlingMs, toldMs } from '../numbers.ts';
import type { CardEvents } from './card-events.ts';
import type { CardProcessor } from './card-processor.ts';
import { intentOf } from './webhook.ts';

/**
 * Ask the processor what it has told, or has tried to: what never came here, because nobody was here
 * or no webhook is set up, is looked after all the same.
 */
export async function catchUp(
  processor: CardProcessor,
  cardEvents: CardEvents,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const known = await cardEvents.listedUntil();
  // It lists what has happened a little later than it has happened.
  const since = Math.max((known ?? 0) - settlingMs, now - mostUntoldMs);
  for await (const event of processor.told(since)) {
    if (signal.aborted) return;
    const intent = intentOf(event);
    if (intent === undefined) continue;
    const { id, type, created } = event;
    const happened = { id, type, intent, created_at: created * 1000 };
    await cardEvents.keep({ tenant: defaultTenant, ...happened });
  }
  await cardEvents.setListedUntil(now);
  await cardEvents.forget(now - toldMs);
}
