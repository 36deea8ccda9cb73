import type { JsonSchema } from '#contract/json';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { EmittedFile } from '../../emit/print/emitted-file.ts';
import type { LockedDefinition } from '../../model/lock/tool-lock.ts';
import type { Located } from '../../model/texts/report.ts';

/**
 * One kind of spec: where it lies, what it says, what can be wrong with it, and what is made of it.
 * A new kind is one file here, one line in `registry.ts` and one schema in `specs/schemas/`. The
 * members are methods, so that a kind of any model is one of `unknown`.
 */
export interface Kind<Model> {
  readonly name: string;
  /**
   * Paths of files and, with a slash at the end, of folders; `<id>` is the name of any folder. Several
   * paths may give one output: `specs/config.yaml` and `specs/surfaces/<id>/config.yaml`.
   */
  readonly where: readonly string[];
  /** Read, plan and check what stands at one place. It may look at nothing else. */
  plan(place: Place): Planned<Model> | Promise<Planned<Model>>;
  /** Check all places together, and against other kinds. */
  check?(parts: readonly Part<Model>[], specs: Specs): readonly Diagnostic[];
  /** What a place publishes as tools; their names are locked. */
  tools?(model: Model, specs: Specs): readonly PublishedTool[];
  /** Files that are made from one place alone: they are printed again only when it changes. */
  print?(model: Model): Emitted;
  /** Files that are made from all places, and with what other kinds say. */
  merge?(parts: readonly Part<Model>[], specs: Specs): Emitted;
  /** Pages for readers. */
  docs?(parts: readonly Part<Model>[], specs: Specs): Emitted;
}

type Emitted = readonly EmittedFile[] | Promise<readonly EmittedFile[]>;

/** Where something of a kind stands. */
export interface Place {
  /** The folder that holds `specs/`. */
  readonly base: string;
  /** From there, with forward slashes and none at the end. */
  readonly path: string;
  /** The name that `<id>` stands for; empty where there is none. */
  readonly id: string;
}

/** What was made of one place. */
export interface Planned<Model> {
  /** Absent when it is beyond use. */
  readonly model?: Model;
  /** The file that later checks point into. */
  readonly file?: Located;
  readonly diagnostics: readonly Diagnostic[];
}

/** A place, planned. */
export interface Part<Model> extends Planned<Model> {
  readonly kind: Kind<Model>;
  readonly place: Place;
}

/** Everything under `specs/`, or one place of it, planned. */
export interface Specs {
  readonly parts: readonly Part<unknown>[];
  /** The places of one kind, in the order of its paths and then by code unit. */
  of<Model>(kind: Kind<Model>): readonly Part<Model>[];
  readonly diagnostics: readonly Diagnostic[];
}

/** One tool that callers may hold on to. */
export interface PublishedTool {
  readonly definition: LockedDefinition;
  /** What it does on the wire. */
  readonly request: string;
  /** What calls are held to, where that is more than is published. */
  readonly whole?: JsonSchema | undefined;
  /** JSON pointer of its entry in the file of the place. */
  readonly pointer: string;
}

/** What of these places can be used. */
export function models<Model>(parts: readonly Part<Model>[]): Model[] {
  return parts.flatMap(({ model }) => model ?? []);
}

/** Whether nothing at a place is an error. */
export function isSound({ diagnostics }: Planned<unknown>): boolean {
  return !diagnostics.some(({ severity }) => severity === 'error');
}
