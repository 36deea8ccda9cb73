import type { CallContext } from './caller.ts';
import type { Access } from './operation.ts';
import type { Complete, TemplateValues } from './resource.ts';
import type { ContentBlock } from './tool.ts';

export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** A text that a user picks, with places to fill in (MCP 2026-07-28, Prompt). */
export interface PromptDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly PromptArgument[];
  readonly access: Access;
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

export interface PromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

export interface Prompt {
  readonly definition: PromptDefinition;
  get(args: TemplateValues, context: CallContext): Promise<PromptResult>;
  readonly complete?: Complete;
}
