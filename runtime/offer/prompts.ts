import { createHash } from 'node:crypto';
import type { Prompt, PromptDefinition, PromptResult } from '#contract/prompt';
import type { Admission } from '../admission/admission.ts';
import type { Run } from '../admission/steps/pipeline.ts';
import { StartError } from '../process/start-error.ts';
import { Changes } from './changes.ts';
import { type Page, type Pages, paginate } from './page.ts';

export interface PromptSource {
  readonly id: string;
  readonly prompts?: readonly Prompt[];
}

/** A prompt with admission in front of it. */
export interface OfferedPrompt {
  readonly definition: PromptDefinition;
  readonly complete: Prompt['complete'];
  readonly run: Run<PromptResult>;
}

/** Every prompt that the server offers, by its name. */
export class Prompts {
  readonly changes: Changes;
  readonly #admission: Admission;
  readonly #prompts = new Map<string, OfferedPrompt>();
  #pages: Pages<PromptDefinition> | undefined;

  /** @throws StartError when a name is offered twice */
  constructor(sources: readonly PromptSource[], admission: Admission, changes = new Changes()) {
    this.changes = changes;
    this.#admission = admission;
    for (const { id, prompts = [] } of sources) for (const prompt of prompts) this.#put(prompt, id);
  }

  get size(): number {
    return this.#prompts.size;
  }

  get names(): IterableIterator<string> {
    return this.#prompts.keys();
  }

  find(name: string): OfferedPrompt | undefined {
    return this.#prompts.get(name);
  }

  page(cursor?: string): Page<PromptDefinition> | undefined {
    this.#pages ??= this.#paginate();
    return this.#pages.get(cursor);
  }

  /** Offer one more prompt from now on. */
  add(prompt: Prompt, id: string): void {
    this.#put(prompt, id);
    this.#pages = undefined;
    this.changes.emit('prompts', undefined);
  }

  #put(prompt: Prompt, id: string): void {
    const { definition, complete } = prompt;
    const { name, access } = definition;
    if (this.#prompts.has(name)) {
      throw new StartError(`${id} offers the prompt ${name}, which another one offers already`);
    }
    const run = this.#admission.admit({ name, access }, (input, context) =>
      // The method has checked that every value is a string.
      prompt.get(input as Readonly<Record<string, string>>, context),
    );
    this.#prompts.set(name, { definition, complete, run });
  }

  #paginate(): Pages<PromptDefinition> {
    const items = [...this.#prompts.values()].map(({ definition }) => definition);
    const listHash = createHash('sha256').update(JSON.stringify(items)).digest('base64url');
    return paginate(items, listHash.slice(0, 22));
  }
}
