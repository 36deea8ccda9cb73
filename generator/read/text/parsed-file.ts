import { relative, sep } from 'node:path';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic, Location } from '../../diagnostics/diagnostic.ts';
import { formatPointer, parsePointer } from './json-pointer.ts';
import { linePositions } from './line-positions.ts';
import type { ParsedText, TextProblem } from './parsed-text.ts';
import { readSourceText } from './source-text.ts';

/** A file whose text has been parsed. */
export interface ParsedFile {
  readonly path: string;
  /** `undefined` when the file is beyond use; maps have no prototype. */
  readonly value: unknown;
  /** Whether other readers take its text alike. */
  readonly isPlain?: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Where the key (in a sequence: the item) at a JSON pointer stands, or its nearest ancestor. */
  locate(pointer: string): Location;
  /** The number or word that is written at a JSON pointer, without quotes; nothing where none is. */
  wordAt(pointer: string): string | undefined;
}

/** A word or number; in a map behind its key, in a sequence behind its dash. */
const word =
  /(?:(?:"[^"\n]*"|'[^'\n]*'|[\w$-]+)\s*:\s+|(?:"[^"\n]*")\s*:\s*|-\s+)?([-+.\w]+)(?=\s|[,\]}#]|$)/y;

/**
 * Read and parse one file.
 *
 * @param base the folder that reported paths are relative to
 * @param reading.isForeign see {@link readSourceText}
 * @param reading.address what reports call it in the place of its path
 */
export function parseFile(
  path: string,
  base: string,
  parse: (text: string) => ParsedText,
  reading: { readonly isForeign?: boolean; readonly address?: string | undefined } = {},
): ParsedFile {
  const file = reading.address ?? printedPath(path, base);
  const top = { file, line: 1, column: 1 };
  const source = readSourceText(path, reading);
  if (source.text === undefined) {
    const message = `cannot read the file: ${source.reason}`;
    const diagnostics = [diagnose('SPEC001', { ...top, pointer: '' }, message)];
    return { path, value: undefined, diagnostics, locate: () => top, wordAt: () => undefined };
  }
  const parsed = parse(source.text);
  const positionOf = linePositions(source.text);
  const locationOf = (offset: number) => ({ file, ...positionOf(offset) });
  const told = source.mended && ({ code: 'SPEC002', severity: 'warning', path: [] } as const);
  const problems = told ? [{ ...told, ...source.mended }, ...parsed.problems] : parsed.problems;
  return {
    path,
    value: parsed.value,
    isPlain: parsed.isPlain === true && problems.length === 0,
    diagnostics: problems.map((problem) => diagnosticOf(problem, locationOf)),
    locate: (pointer) => locationOf(parsed.offsetOf(parsePointer(pointer))),
    wordAt(pointer) {
      word.lastIndex = parsed.offsetOf(parsePointer(pointer));
      return word.exec(source.text)?.[1];
    },
  };
}

/** A path as diagnostics print it: relative to `base`, with forward slashes. */
export function printedPath(path: string, base: string): string {
  return relative(base, path).split(sep).join('/');
}

function diagnosticOf(problem: TextProblem, locationOf: (offset: number) => Location): Diagnostic {
  const { code, severity, offset, path, message, help, first } = problem;
  return diagnose(code, { ...locationOf(offset), pointer: formatPointer(path) }, message, {
    severity,
    ...(help !== undefined && { help }),
    ...(first !== undefined && {
      related: [{ ...locationOf(first.offset), message: first.message }],
    }),
  });
}
