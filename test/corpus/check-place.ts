import assert from 'node:assert/strict';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.ts';
import { diagnosticCodes } from '../../generator/diagnostics/diagnostic-codes.ts';

/** A diagnostic has a known code, a file inside of its folder, a line, a column and a text. */
export function checkPlace({ code, file, line, column, message }: Diagnostic): void {
  assert.ok(code in diagnosticCodes, code);
  assert.ok(file !== '' && !file.startsWith('..') && !file.startsWith('/'), file);
  assert.ok(line >= 1 && column >= 1, `${file}:${line}:${column}`);
  assert.ok(message !== '');
}
