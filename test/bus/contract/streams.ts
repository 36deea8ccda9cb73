import { deadLetterStream } from '#contract/bus/dead-letter';
import type { StreamDefinition } from '#contract/bus/stream';

/** A stream for tests, which takes `test.>`. */
export function stream(more: Partial<StreamDefinition> = {}): StreamDefinition {
  return {
    name: 'TEST',
    subjects: ['test.>'],
    maxAgeMs: 86_400_000,
    maxBytes: 64 * 1024 * 1024,
    maxMessageBytes: 262_144,
    discard: 'old',
    duplicateWindowMs: 120_000,
    ...more,
  };
}

/** Where messages lie that no consumer could handle. */
export const deadLetters = stream({ name: deadLetterStream, subjects: ['service_dlq.>'] });
