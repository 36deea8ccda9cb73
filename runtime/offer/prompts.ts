import type { Caller } from '#contract/caller';
import type { Prompt, PromptDefinition, PromptResult } from '#contract/prompt';
import type { Admission } from '../admission/admission.ts';
import type { Run } from '../admission/steps/pipeline.ts';
import { Changes } from './changes.ts';
import { OfferedList } from './offered-list.ts';
import type { Page } from './page.ts';

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
  readonly #admission: Admission;
  readonly #list: OfferedList<OfferedPrompt, PromptDefinition>;

  /** @throws StartError when a name is offered twice */
  constructor(sources: readonly PromptSource[], admission: Admission, changes = new Changes()) {
    this.#admission = admission;
    this.#list = new OfferedList({
      kind: 'prompt',
      accessOf: ({ access }) => access,
      items: (prompts) => Array.from(prompts, ({ definition }) => definition),
      tell: () => changes.emit('prompts', undefined),
    });
    for (const { id, prompts = [] } of sources) for (const prompt of prompts) this.#put(prompt, id);
  }

  get size(): number {
    return this.#list.size;
  }

  get names(): IterableIterator<string> {
    return this.#list.names;
  }

  find(name: string): OfferedPrompt | undefined {
    return this.#list.find(name);
  }

  page(cursor?: string, scopes?: Caller['scopes']): Promise<Page<PromptDefinition> | undefined> {
    return this.#list.page(cursor, scopes);
  }

  /** Offer one more prompt from now on. */
  add(prompt: Prompt, id: string): void {
    this.#put(prompt, id);
    this.#list.changed();
  }

  #put(prompt: Prompt, id: string): void {
    const { definition, complete } = prompt;
    const { name, access } = definition;
    const run = this.#admission.admit({ name, access }, (input, context) =>
      // The method has checked that every value is a string.
      prompt.get(input as Readonly<Record<string, string>>, context),
    );
    this.#list.put(name, { definition, complete, run }, id);
  }
}
