import type { Diagnostic, Location } from '../../diagnostics/diagnostic.ts';

/** An API description in the internal shape: OpenAPI 3.1, JSON Schema 2020-12, one document. */
export interface ApiDocument {
  /**
   * The upgraded, bundled, overlaid document. Every `$ref` in it is local (`#/...`) and resolves;
   * maps have no prototype, so a property called `__proto__` is only a property.
   */
  readonly root: OpenApi;
  /** Version family of the original text. */
  readonly version: '2.0' | '3.0' | '3.1' | '3.2';
  /** The file the reader started from, as diagnostics print it. */
  readonly file: string;
  /**
   * Where the node at a JSON pointer into `root` was written: the place of its key, in whichever
   * file it came from. A pointer to nothing gives its nearest ancestor.
   */
  locate(pointer: string): Location;
}

/** Something that a description refers to or breaks, so that it is missing from the document. */
export interface Loss {
  /** JSON pointer to where it would stand in the document, before that is brought up to 3.1. */
  readonly pointer: string;
  readonly diagnostic: Diagnostic;
}

/** What reading gives: everything that was found wrong, and the document unless it is beyond use. */
export interface ReadResult {
  readonly document?: ApiDocument;
  /** What is missing from the document. */
  readonly losses?: readonly Loss[];
  /** Whether it is too large for readers who write references out; known where repairs are made. */
  readonly isVast?: boolean;
  /** Whether it is known that another reader accepts it; looked for where repairs are made. */
  readonly isAccepted?: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

type Node = Record<string, unknown>;

/** The parts of OpenAPI 3.1 that the model reads, loosely typed: the reader has validated them. */
export interface OpenApi extends Node {
  readonly openapi: string;
  readonly info: Node;
  readonly servers?: readonly Node[];
  readonly paths?: Readonly<Record<string, Node>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, Node>>>>;
  readonly security?: readonly Node[];
}
