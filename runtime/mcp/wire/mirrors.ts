import type { IncomingHttpHeaders } from 'node:http';
import { valueAt } from '#contract/json';
import type { MirroredArgument } from '../../offer/mirrored-arguments.ts';
import { decodeHeaderValue } from './header-value.ts';

const prefix = 'mcp-param-';
const decimal = /^-?\d+(\.\d+)?$/;

/**
 * Compare the arguments of a call with the headers that repeat them (MCP 2026-07-28, server
 * behavior for custom headers). A text says where they disagree.
 */
export function mirrorProblem(
  mirrored: readonly MirroredArgument[],
  args: unknown,
  headers: IncomingHttpHeaders,
): string | undefined {
  for (const argument of mirrored) {
    const problem = disagreement(argument, valueAt(args, argument.path), headers);
    if (problem !== undefined) return problem;
  }
  return unmarked(mirrored, headers);
}

/** A header for an argument that the tool does not mark: it repeats nothing. */
function unmarked(
  mirrored: readonly MirroredArgument[],
  headers: IncomingHttpHeaders,
): string | undefined {
  for (const header in headers) {
    if (!header.startsWith(prefix)) continue;
    const name = header.slice(prefix.length);
    if (mirrored.some((argument) => argument.name.toLowerCase() === name)) continue;
    return `the header Mcp-Param-${name.slice(0, 128)} is there, but the tool marks no such argument`;
  }
  return undefined;
}

function disagreement(
  { name, path, type }: MirroredArgument,
  value: unknown,
  headers: IncomingHttpHeaders,
): string | undefined {
  const header = `Mcp-Param-${name}`;
  const given = headers[header.toLowerCase()];
  if (value === undefined || value === null) {
    return given === undefined
      ? undefined
      : `the header ${header} is there, but not the argument ${path.join('.')}`;
  }
  const text = textOf(value);
  // What no header can repeat fails the schema of the tool.
  if (text === undefined && given === undefined) return undefined;
  if (typeof given !== 'string') return `the header ${header} is missing`;
  const decoded = decodeHeaderValue(given);
  if (decoded === undefined) return `the header ${header} is malformed`;
  const isSame =
    decoded === text || (type === 'integer' && decimal.test(decoded) && Number(decoded) === value);
  return isSame ? undefined : `the header ${header} does not repeat the argument ${path.join('.')}`;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
  return undefined;
}
