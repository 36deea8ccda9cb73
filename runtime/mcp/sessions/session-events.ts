import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

type Message = Parameters<EventStore['storeEvent']>[1];
type Send = Parameters<EventStore['replayEventsAfter']>[1]['send'];

/** Characters that all sessions of the process keep together. */
export interface EventBudget {
  left: number;
}

export const defaultEventBudget = 32 * 1024 * 1024;

const mostEvents = 1000;
const mostCharacters = 4 * 1024 * 1024;

interface Stream {
  readonly id: string;
  readonly number: number;
  /** The last event that is not kept any more. */
  lostThrough: number;
  kept: number;
  isAnswered: boolean;
}

interface StoredEvent {
  readonly stream: Stream;
  readonly sequence: number;
  /** Empty where an event only marks a place. */
  readonly text: string;
}

/** What a client that has lost a stream can still get of it. */
export interface Rest {
  /** Its answer is among the events: nothing follows them. */
  readonly isAnswered: boolean;
  readonly events: readonly { readonly id: string; readonly text: string }[];
}

/**
 * The newest events of one session, for clients that lost a stream and come back with
 * Last-Event-ID (MCP 2025-11-25, resumability). The oldest go first.
 */
export class SessionEvents implements EventStore {
  readonly #budget: EventBudget;
  /** Streams that are resumed even where events of theirs are gone. */
  readonly #openEnded: string;
  readonly #streams = new Map<string, Stream>();
  readonly #byNumber = new Map<number, Stream>();
  #events: StoredEvent[] = [];
  #characters = 0;
  #sequence = 0;
  #streamNumber = 0;
  #isCleared = false;

  constructor(budget: EventBudget, openEnded: string) {
    this.#budget = budget;
    this.#openEnded = openEnded;
  }

  async storeEvent(streamId: string, message: Message): Promise<string> {
    const stream = this.#streamOf(streamId);
    const isMark = !('jsonrpc' in message);
    const text = isMark ? '' : JSON.stringify(message);
    this.#sequence += 1;
    if ('result' in message || 'error' in message) stream.isAnswered = true;
    if (!this.#isCleared) this.#keep({ stream, sequence: this.#sequence, text });
    return `${stream.number}-${this.#sequence}`;
  }

  /** What followed an event; nothing where that cannot be said any more. */
  after(lastEventId: string): Rest | undefined {
    const [, number, sequence] = /^(\d{1,9})-(\d{1,12})$/.exec(lastEventId) ?? [];
    const stream = this.#byNumber.get(Number(number));
    if (!stream) return undefined;
    const last = Number(sequence);
    if (stream.lostThrough > last && stream.id !== this.#openEnded) return undefined;
    const events = this.#events
      .filter((event) => event.stream === stream && event.sequence > last && event.text !== '')
      .map((event) => ({ id: `${stream.number}-${event.sequence}`, text: event.text }));
    return { isAnswered: stream.isAnswered, events };
  }

  async replayEventsAfter(lastEventId: string, { send }: { send: Send }): Promise<string> {
    const rest = this.after(lastEventId);
    const stream = this.#byNumber.get(Number.parseInt(lastEventId, 10));
    if (!rest || !stream) throw new Error('there is no such event');
    for (const { id, text } of rest.events) await send(id, JSON.parse(text));
    return stream.id;
  }

  /** Forget everything, because the session has ended. */
  clear(): void {
    this.#isCleared = true;
    this.#budget.left += this.#characters;
    this.#characters = 0;
    this.#events = [];
    this.#streams.clear();
    this.#byNumber.clear();
  }

  #streamOf(id: string): Stream {
    const known = this.#streams.get(id);
    if (known) return known;
    const number = this.#streamNumber;
    this.#streamNumber += 1;
    const stream: Stream = { id, number, lostThrough: 0, kept: 0, isAnswered: false };
    this.#streams.set(id, stream);
    this.#byNumber.set(number, stream);
    return stream;
  }

  #keep(event: StoredEvent): void {
    const { length } = event.text;
    event.stream.kept += 1;
    if (length > mostCharacters) {
      this.#lose(event);
      return;
    }
    this.#events.push(event);
    this.#characters += length;
    this.#budget.left -= length;
    let gone = 0;
    for (const old of this.#events) {
      if (!this.#isFull(this.#events.length - gone)) break;
      gone += 1;
      this.#characters -= old.text.length;
      this.#budget.left += old.text.length;
      this.#lose(old);
    }
    if (gone > 0) this.#events.splice(0, gone);
  }

  #isFull(count: number): boolean {
    return count > mostEvents || this.#characters > mostCharacters || this.#budget.left < 0;
  }

  #lose({ stream, sequence }: StoredEvent): void {
    stream.kept -= 1;
    stream.lostThrough = sequence;
    if (stream.kept > 0 || !stream.isAnswered) return;
    this.#streams.delete(stream.id);
    this.#byNumber.delete(stream.number);
  }
}
