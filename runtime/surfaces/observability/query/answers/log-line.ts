import type { RowFields } from '#contract/telemetry/kind';
import { attributesOf, hexId, textAt } from './fields.ts';
import type { LogRow } from './rows.ts';
import { severityOf, visibleText } from './visible-text.ts';

/**
 * A line as its back end gave it. What it says is read when somebody asks: of several back ends most
 * lines are merged and never shown.
 */
export class LogLine implements LogRow {
  readonly timestamp: bigint;
  readonly #text: string;
  readonly #record: unknown;
  readonly #fields: RowFields;

  constructor(timestamp: bigint, text: string, record: unknown, fields: RowFields) {
    this.timestamp = timestamp;
    this.#text = text;
    this.#record = record;
    this.#fields = fields;
  }

  get body(): string {
    return visibleText(this.#text);
  }

  get severity(): string | undefined {
    return severityOf(textAt(this.#record, this.#fields.severity));
  }

  get service(): string | undefined {
    return textAt(this.#record, this.#fields.service);
  }

  get traceId(): string | undefined {
    return hexId(textAt(this.#record, this.#fields.traceId), 32);
  }

  get spanId(): string | undefined {
    return hexId(textAt(this.#record, this.#fields.spanId), 16);
  }

  get attributes(): Readonly<Record<string, string>> {
    return attributesOf(this.#record, this.#fields);
  }
}
