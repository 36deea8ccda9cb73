import { isObject, type JsonSchema } from '#contract/json';
import { keywords } from '#contract/schema/keywords';
import { subschemasAt } from '#contract/schema/subschemas';
import { StartError } from '../process/start-error.ts';

/** An argument of a tool that clients repeat in the header `Mcp-Param-{name}`. */
export interface MirroredArgument {
  readonly name: string;
  /** Property names from the root of the arguments. */
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'boolean';
}

const annotation = 'x-mcp-header';
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * Find the arguments that a schema marks with `x-mcp-header`.
 *
 * @throws StartError when a mark breaks a rule, for clients would hide the whole tool (MCP
 *   2026-07-28, custom headers from tool parameters)
 */
export function mirroredArguments(tool: string, schema: JsonSchema): readonly MirroredArgument[] {
  if (!mentions(schema)) return none;
  const found: MirroredArgument[] = [];
  collect(schema, [], found, tool);
  const names = new Set(found.map(({ name }) => name.toLowerCase()));
  if (names.size < found.length) throw invalid(tool, 'marks two arguments with the same name');
  return found;
}

const none: readonly MirroredArgument[] = [];

/**
 * Whether the name of the mark stands anywhere at all. It does in few tools, and to look for its
 * place in all of them costs ten times as much, at every start.
 */
function mentions(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (annotation in value) return true;
  for (const name in value) {
    if (mentions((value as Readonly<Record<string, unknown>>)[name])) return true;
  }
  return false;
}

/** `path` is absent below what is not reached through `properties` alone. */
function collect(
  schema: unknown,
  path: readonly string[] | undefined,
  found: MirroredArgument[],
  tool: string,
): void {
  if (!isObject(schema)) return;
  if (schema[annotation] !== undefined) found.push(markOf(schema, path, tool));
  for (const [keyword, value] of Object.entries(schema)) {
    // What a client makes of a keyword that nobody knows cannot be told: no mark may be in there.
    if (!keywords.has(keyword)) collectAnywhere(value, found, tool);
    for (const { key, schema: inner } of subschemasAt(keyword, value)) {
      const below = keyword === 'properties' && path ? [...path, String(key)] : undefined;
      collect(inner, below, found, tool);
    }
  }
}

function collectAnywhere(value: unknown, found: MirroredArgument[], tool: string): void {
  if (Array.isArray(value)) for (const member of value) collectAnywhere(member, found, tool);
  else collect(value, undefined, found, tool);
}

function markOf(
  { [annotation]: name, type }: Record<string, unknown>,
  path: readonly string[] | undefined,
  tool: string,
): MirroredArgument {
  if (typeof name !== 'string' || !token.test(name)) {
    throw invalid(tool, `has ${JSON.stringify(name)} where a token belongs (RFC 9110, 5.6.2)`);
  }
  if (path === undefined || path.length === 0) {
    throw invalid(tool, `marks ${name} where it is not reached through "properties" alone`);
  }
  if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
    throw invalid(tool, `marks ${name}, which is no string, integer or boolean`);
  }
  return { name, path, type };
}

function invalid(tool: string, problem: string): StartError {
  return new StartError(`the tool ${tool} cannot be offered: with ${annotation} it ${problem}`);
}
