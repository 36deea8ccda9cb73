import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic, Severity } from '../../diagnostics/diagnostic.ts';
import type { DiagnosticCode } from '../../diagnostics/diagnostic-codes.ts';
import type { Grammar } from '../grammar/shape.ts';
import { formatPointer } from '../text/json-pointer.ts';
import type { Origin, Origins, Path } from '../text/origins.ts';
import type { ParsedFile } from '../text/parsed-file.ts';
import type { SpecFiles } from '../text/spec-files.ts';
import type { Loss } from './api-document.ts';
import type { Node } from './walk.ts';

/** A description while it is being read: the steps of the reader change it in place. */
export interface WorkingDocument {
  readonly root: Node;
  readonly entry: ParsedFile;
  readonly files: SpecFiles;
  readonly origins: Origins;
  /** The grammar of the version that it was written in. */
  readonly grammar: Grammar;
  readonly diagnostics: Diagnostic[];
  /** What is missing of it, with the reasons. */
  readonly losses: Loss[];
  /** Lists and maps that something broken was taken out of. */
  readonly damaged: WeakSet<object>;
  /** The overlay that was applied. */
  overlay?: ParsedFile;
}

interface Extra {
  readonly severity?: Severity;
  readonly help?: string | undefined;
  readonly related?: readonly { readonly path: Path; readonly message: string }[];
}

/** Report something at the node that stands at `path` now. */
export function report(
  document: WorkingDocument,
  code: DiagnosticCode,
  path: Path,
  message: string,
  { severity, help, related }: Extra = {},
): Diagnostic {
  const { file, pointer } = document.origins.at(path);
  const places = related?.map((other) => ({
    ...placeOf(document.origins.at(other.path)),
    message: other.message,
  }));
  const diagnostic = diagnose(code, { ...file.locate(pointer), pointer }, message, {
    ...(severity !== undefined && { severity }),
    ...(help !== undefined && { help }),
    ...(places !== undefined && { related: places }),
  });
  document.diagnostics.push(diagnostic);
  return diagnostic;
}

/** Remember that what should stand at `path` is missing. */
export function lose({ losses }: WorkingDocument, path: Path, diagnostic: Diagnostic): void {
  losses.push({ pointer: formatPointer(path), diagnostic });
}

function placeOf({ file, pointer }: Origin) {
  return file.locate(pointer);
}

/** Remove nodes; later items of a list keep their origins. */
export function removeNodes({ root, origins }: WorkingDocument, paths: readonly Path[]): void {
  // From the end of each list, so that no path changes before its turn.
  for (const path of paths.toSorted(comparePaths).toReversed()) {
    const key = path.at(-1);
    const parent = parentAt(root, path);
    if (Array.isArray(parent)) {
      if (Number(key) < parent.length) origins.removeItem(parent, path.slice(0, -1), Number(key));
    } else if (typeof parent === 'object' && parent !== null && key !== undefined) {
      delete (parent as Node)[key];
    }
  }
}

/** Remove nodes that are of no use, and remember from where. */
export function takeOut(document: WorkingDocument, paths: readonly Path[]): void {
  for (const path of paths) {
    const parent = parentAt(document.root, path);
    if (typeof parent === 'object' && parent !== null) document.damaged.add(parent);
  }
  removeNodes(document, paths);
}

function parentAt(root: Node, path: Path): unknown {
  return path
    .slice(0, -1)
    .reduce<unknown>((node, step) => (node as Node | undefined)?.[step], root);
}

/** Parents before their members, items of a list by number. */
function comparePaths(first: Path, second: Path): number {
  for (const [index, step] of first.entries()) {
    const other = second[index];
    if (other === undefined) return 1;
    if (step === other) continue;
    if (typeof step === 'number' && typeof other === 'number') return step - other;
    return String(step) < String(other) ? -1 : 1;
  }
  return first.length - second.length;
}
