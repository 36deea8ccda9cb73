import type { CallContext } from './caller.ts';
import type { Access } from './operation.ts';

/** Who something is for, and how much it matters (MCP 2026-07-28, Annotations). */
export interface Annotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  /** 0 to 1. */
  readonly priority?: number;
  /** RFC 3339. */
  readonly lastModified?: string;
}

interface Described {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
}

/** Something that can be read under a fixed URI. */
export interface ResourceDefinition extends Described {
  readonly uri: string;
  /** Bytes, where that is known. */
  readonly size?: number;
  readonly access: Access;
}

/** Many resources under one pattern: RFC 6570 level 1, `{name}` for one path segment each. */
export interface ResourceTemplateDefinition extends Described {
  readonly uriTemplate: string;
  readonly access: Access;
}

/** What stands under a URI: text, or bytes in base64. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface Resource {
  readonly definition: ResourceDefinition;
  read(context: CallContext): Promise<readonly ResourceContents[]>;
}

/** Values of the parts of a template, decoded. */
export type TemplateValues = Readonly<Record<string, string>>;

export interface ResourceTemplate {
  readonly definition: ResourceTemplateDefinition;
  /** Nothing when there is no such resource. */
  read(
    values: TemplateValues,
    uri: string,
    context: CallContext,
  ): Promise<readonly ResourceContents[] | undefined>;
  readonly complete?: Complete;
}

/** Suggest values for an argument that begins as `value` does; at most a hundred are used. */
export type Complete = (
  argument: string,
  value: string,
  /** Arguments that are settled already. */
  settled: TemplateValues,
  context: CallContext,
) => Promise<readonly string[]>;
