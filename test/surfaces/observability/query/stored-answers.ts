import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Signal } from '#contract/telemetry/kind';
import type { QueryInput } from '../../../../runtime/surfaces/observability/query/read-input.ts';

const folder = join(import.meta.dirname, '../../../fixtures/telemetry');

/** What a kind of back end is asked, and the very text that its documentation lets it answer. */
export interface StoredAnswer {
  readonly name: string;
  readonly kind: string;
  readonly signal: Signal;
  readonly tenant?: string;
  readonly asked: QueryInput;
  readonly answer: string;
}

export function storedAnswers(): readonly StoredAnswer[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => ({
      name: file.slice(0, -'.yaml'.length),
      ...parse(readFileSync(join(folder, file), 'utf8')),
    }));
}
