import type { DeadLetter, DeadLetters } from '#contract/bus/bus';
import { readCloudEvent, toBinary } from '#contract/bus/cloud-event';
import { deadLetterFacts, deadLetterStream, originalHeaders } from '#contract/bus/dead-letter';
import type { BusDriver } from '#contract/bus/driver';
import { busNotFound } from '#contract/bus/faults';
import type { StoredMessage } from '#contract/bus/message';

/** What lies in the stream of the dead letters, for those whose it is. */
export function createDeadLetterDesk(driver: BusDriver): DeadLetters {
  async function find(tenant: string, letter: number): Promise<StoredMessage> {
    const query = { stream: deadLetterStream, fromSequence: letter, limit: 1 };
    const [message] = (await driver.read({ ...query, tenant })).messages;
    if (message?.sequence === letter && deadLetterFacts(message)) return message;
    throw busNotFound(`dead letter ${letter}`);
  }

  return {
    async list({ tenant, fromLetter, limit }) {
      const page = await driver.read({
        ...{ stream: deadLetterStream, tenant, limit },
        ...(fromLetter !== undefined && { fromSequence: fromLetter }),
      });
      return { ...page, messages: page.messages.flatMap((message) => letterOf(message) ?? []) };
    },
    async replay(tenant, letter) {
      const message = await find(tenant, letter);
      const { subject = '', consumer = '' } = deadLetterFacts(message) ?? {};
      // The same each time: whoever does it twice publishes once. The number of the letter would tell
      // its tenant how many others there are.
      const id = `${message.id}.${consumer}.${message.storedAt}.replay`;
      const receipt = await driver.publish({ subject, tenant, id, ...replayed(message, id) });
      await driver.remove(deadLetterStream, letter);
      return receipt;
    },
    async discard(tenant, letter) {
      await find(tenant, letter);
      await driver.remove(deadLetterStream, letter);
    },
  };
}

/** The event under a new id, caused by the old one; what is no event stays as it is. */
function replayed(message: StoredMessage, id: string): Pick<StoredMessage, 'headers' | 'data'> {
  const headers = originalHeaders(message);
  try {
    const event = readCloudEvent({ ...message, headers });
    if (event.source === '') return { headers, data: message.data };
    return toBinary({ ...event, id, causationid: event.id });
  } catch {
    return { headers, data: message.data };
  }
}

function letterOf(message: StoredMessage): DeadLetter | undefined {
  const facts = deadLetterFacts(message);
  if (facts === undefined) return undefined;
  const { sequence: letter, storedAt, tenant, data: text } = message;
  const letterFacts = { ...facts, letter, storedAt, tenant, text };
  try {
    const event = readCloudEvent({ ...message, headers: originalHeaders(message) });
    return { ...letterFacts, event };
  } catch {
    return letterFacts;
  }
}
