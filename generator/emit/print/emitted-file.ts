/** A file that an emitter made: nothing is on disk yet. */
export interface EmittedFile {
  /** Path relative to the folder that holds `specs/`, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** A template made it: the formatter has yet to lay it out and to sort its imports. */
  readonly isRaw?: boolean;
}
