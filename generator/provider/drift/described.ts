import type { ApiDocument, Loss } from '../../read/document/api-document.ts';

/** A description, and the address that its servers may be relative to. */
export interface Described {
  readonly document: ApiDocument;
  readonly origin?: string | undefined;
}

/** A later description that has been read. */
export interface Later extends Described {
  /** What is missing of it. */
  readonly losses?: readonly Loss[];
}

/** Paths that differ in the names of their parameters alone (OpenAPI 3.1, paths object). */
export function isSamePath(one: string, other: string): boolean {
  return unnamed(one) === unnamed(other);
}

export function unnamed(path: string): string {
  return path.split('#', 1)[0]?.replace(/\{[^{}]*\}/g, '{}') ?? path;
}
