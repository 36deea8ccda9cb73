import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '#contract/json';
import type { Access } from '#contract/operation';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { EmittedFile } from '../../emit/print/emitted-file.ts';
import type { Demand } from '../../model/house/scopes.ts';
import type { SurfaceModel } from '../../model/house/surface-model.ts';
import type { NamedTypes } from '../../model/schema/named-types.ts';
import type { Located } from '../../model/texts/report.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { type CheckedFile, readChecked } from '../../read/text/checked-yaml.ts';
import type { Place } from '../kind/kind.ts';

/**
 * One kind of file in the folder of a surface whose types all its modules share. What stands in
 * that folder for an output of the whole server, such as switches, is a `Kind` of its own.
 */
export interface SurfaceFile {
  /** Read, plan and check it; a surface without it adds nothing. */
  plan(planning: SurfacePlanning): SurfacePart;
  /** Print what is made of it; components that it uses join `used`. */
  print(surface: SurfaceModel, used: Set<string>): Promise<readonly EmittedFile[]>;
}

/** What the files of one surface share. */
export interface SurfacePlanning {
  readonly place: Place;
  /** Its API description, where it has one. */
  readonly document: ApiDocument | undefined;
  readonly components: ReadonlyMap<string, JsonSchema>;
  readonly types: NamedTypes;
}

/** What one file adds to its surface. */
export interface SurfacePart {
  readonly model?: Partial<Omit<SurfaceModel, 'demands'>>;
  readonly demands?: readonly Demand[];
  /** The file that lists the tools. */
  readonly toolsFile?: Located;
  readonly diagnostics: readonly Diagnostic[];
}

/** Read one YAML file of a surface, where there is one, and check it against its schema. */
export function readSurfaceFile<Content>(
  { base, path }: Place,
  name: string,
  schema: string,
): CheckedFile<Content> | undefined {
  const file = join(base, path, name);
  return existsSync(file) ? readChecked<Content>(file, base, schema) : undefined;
}

/** What the entries of a list in a file demand, each where it says so. */
export function demandsIn(
  entries: readonly { readonly access: Access }[],
  list: string,
  file: Located,
): readonly Demand[] {
  return entries.map(({ access }, index) => {
    const pointer = `${list}/${index}/access`;
    return { access, at: { ...file.locate(pointer), pointer } };
  });
}
