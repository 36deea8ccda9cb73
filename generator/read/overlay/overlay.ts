import { JSONPathEnvironment } from 'json-p3';
import { isObject } from '#contract/json';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { DiagnosticCode } from '../../diagnostics/diagnostic-codes.ts';
import { checkShape } from '../check/check-shape.ts';
import { shown } from '../document/shape-mismatch.ts';
import type { Node } from '../document/walk.ts';
import { removeNodes, type WorkingDocument } from '../document/working-document.ts';
import { overlay10, overlay11 } from '../grammar/overlay.ts';
import { formatPointer } from '../text/json-pointer.ts';
import type { Path } from '../text/origins.ts';
import type { ParsedFile } from '../text/parsed-file.ts';
import { maxDepth } from '../text/parsed-text.ts';
import { append, appendItem, kindOf, MergeConflict, mergeAt, type Update } from './merge-node.ts';

const jsonPath = new JSONPathEnvironment({ maxRecursionDepth: maxDepth });

/** Apply an OpenAPI Overlay 1.0 or 1.1 to a document, action by action. */
export function applyOverlay(document: WorkingDocument, file: ParsedFile): void {
  if (file.value === undefined) return;
  const overlay = new Overlay(document, file);
  const version = overlay.version();
  if (version === undefined || !overlay.isSound(version)) return;
  document.overlay = file;
  const { actions } = file.value as { actions: readonly Node[] };
  for (const [index, action] of actions.entries()) overlay.apply(action, index, version);
}

interface Selected {
  readonly path: Path;
  readonly value: unknown;
}

class Overlay {
  readonly #document: WorkingDocument;
  readonly #file: ParsedFile;

  constructor(document: WorkingDocument, file: ParsedFile) {
    this.#document = document;
    this.#file = file;
  }

  version(): '1.0' | '1.1' | undefined {
    const text = isObject(this.#file.value) ? this.#file.value['overlay'] : undefined;
    const family = typeof text === 'string' ? /^(1\.[01])\.\d+$/.exec(text)?.[1] : undefined;
    if (family !== undefined) return family as '1.0' | '1.1';
    const message = `"overlay" must be a version "1.0.x" or "1.1.x", but it is ${shown(text)}`;
    this.#report('SPEC004', text === undefined ? [] : ['overlay'], message);
    return undefined;
  }

  isSound(version: '1.0' | '1.1'): boolean {
    const problems = checkShape(
      version === '1.0' ? overlay10 : overlay11,
      this.#file.value as Node,
    );
    for (const { path, message, help } of problems) this.#report('SPEC005', path, message, help);
    return problems.length === 0;
  }

  apply(action: Node, index: number, version: '1.0' | '1.1'): void {
    const path = ['actions', index];
    const targets = this.#select(String(action['target']), [...path, 'target']);
    if (targets === undefined) return;
    if (targets.length === 0) {
      this.#report('SPEC030', [...path, 'target'], `${action['target']} selects nothing`);
    } else if (action['remove'] === true) {
      this.#remove(targets, path);
    } else if (action['copy'] !== undefined) {
      this.#copy(String(action['copy']), targets, [...path, 'copy'], version);
    } else if (action['update'] !== undefined) {
      const update = { value: action['update'], origin: this.#origin([...path, 'update']) };
      this.#update(targets, update, [...path, 'update'], version);
    }
  }

  #select(expression: string, at: Path): Selected[] | undefined {
    try {
      const found = new Map<string, Selected>();
      for (const { location, value } of jsonPath.query(expression, this.#document.root as never)) {
        found.set(formatPointer(location), { path: location, value });
      }
      return [...found.values()];
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      this.#report('SPEC005', at, `"${expression}" is no JSONPath: ${reason}`);
      return undefined;
    }
  }

  #remove(targets: readonly Selected[], at: Path): void {
    if (targets.some(({ path }) => path.length === 0)) {
      this.#report('SPEC031', [...at, 'target'], 'the whole document cannot be removed');
      return;
    }
    removeNodes(
      this.#document,
      targets.map(({ path }) => path),
    );
  }

  #copy(expression: string, targets: readonly Selected[], at: Path, version: '1.0' | '1.1'): void {
    const sources = this.#select(expression, at);
    const [source] = sources ?? [];
    if (sources === undefined) return;
    if (source === undefined || sources.length > 1) {
      const message = `"copy" must select one node, but ${expression} selects ${sources.length}`;
      this.#report('SPEC031', at, message);
      return;
    }
    this.#update(targets, { value: source.value, origin: this.#origin(at) }, at, version);
  }

  #update(targets: readonly Selected[], update: Update, at: Path, version: '1.0' | '1.1'): void {
    const kinds = new Set(targets.map(({ value }) => kindOf(value)));
    if (kinds.size > 1) {
      const message = `the targets are of several kinds: ${[...kinds].join(' and ')}`;
      this.#report('SPEC031', at, message);
    } else if (kinds.has('a plain value') && version === '1.0') {
      this.#report('SPEC031', at, 'Overlay 1.0 can only update objects and lists');
    } else {
      for (const target of targets) this.#updateOne(target, update, at);
    }
  }

  #updateOne({ path, value }: Selected, update: Update, at: Path): void {
    const { root, origins } = this.#document;
    try {
      if (Array.isArray(value)) {
        if (Array.isArray(update.value)) append(origins, value, update, update.value);
        else appendItem(origins, value, update);
        return;
      }
      const last = path.at(-1);
      // A holder lets the root be merged into like any other object.
      const parent = last === undefined ? { root } : parentOf(root, path);
      mergeAt(origins, parent, last ?? 'root', update);
    } catch (cause) {
      if (!(cause instanceof MergeConflict)) throw cause;
      this.#report(
        'SPEC031',
        [...at, ...cause.steps],
        `${cause.message} at ${formatPointer(path)}`,
      );
    }
  }

  #origin(path: Path) {
    return { file: this.#file, pointer: formatPointer(path) };
  }

  #report(code: DiagnosticCode, path: Path, message: string, help?: string): void {
    const pointer = formatPointer(path);
    const at = { ...this.#file.locate(pointer), pointer };
    const extra = help === undefined ? {} : { help };
    this.#document.diagnostics.push(diagnose(code, at, message, extra));
  }
}

function parentOf(root: Node, path: Path): Node {
  return path.slice(0, -1).reduce<unknown>((node, step) => (node as Node)[step], root) as Node;
}
