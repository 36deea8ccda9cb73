import type { OutgoingMessage, StoredMessage } from './message.ts';

/** The stream of what no consumer could handle. */
export const deadLetterStream = 'SERVICE_DLQ';

/** Outside of `service.`, because the subjects of two streams must not overlap. */
const prefix = 'service_dlq';

/** Why, and after what, a message is a dead letter. */
export interface DeadLetterReason {
  readonly consumer: string;
  readonly deliveries: number;
  /** One line. */
  readonly reason: string;
}

/** What stands in the headers of a dead letter besides those of the message itself. */
export interface DeadLetterFacts extends DeadLetterReason {
  readonly stream: string;
  readonly sequence: number;
  readonly subject: string;
}

/** A header holds printable ASCII, and the reason may be an error of anybody. */
const longestReason = 500;

/**
 * The dead letter of a message: its data and headers, and the headers `dlq-*`. Its id is the same
 * each time, so that a crash between the copy and the end of the message makes no second one.
 */
export function deadLetterOf(
  message: StoredMessage,
  { consumer, deliveries, reason }: DeadLetterReason,
): OutgoingMessage {
  const { stream, sequence, subject, tenant, headers, data } = message;
  return {
    subject: `${prefix}.${stream}.${consumer}`,
    tenant,
    data,
    id: `${stream}.${consumer}.${sequence}`,
    headers: {
      ...headers,
      'dlq-stream': stream,
      'dlq-consumer': consumer,
      'dlq-seq': String(sequence),
      'dlq-reason': printable(reason),
      'dlq-deliveries': String(deliveries),
      'dlq-subject': subject,
    },
  };
}

/** What a dead letter says of itself; nothing where the message is none. */
export function deadLetterFacts({ headers }: StoredMessage): DeadLetterFacts | undefined {
  const stream = headers['dlq-stream'];
  const subject = headers['dlq-subject'];
  if (stream === undefined || subject === undefined) return undefined;
  return {
    stream,
    subject,
    consumer: headers['dlq-consumer'] ?? '',
    sequence: Number(headers['dlq-seq']),
    deliveries: Number(headers['dlq-deliveries']),
    reason: headers['dlq-reason'] ?? '',
  };
}

/** The headers of the message that a dead letter once was. */
export function originalHeaders({ headers }: StoredMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('dlq-')));
}

function printable(text: string): string {
  return text
    .slice(0, longestReason)
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim();
}
