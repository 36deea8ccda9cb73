import { hash } from 'node:crypto';
import { isObject, type JsonSchema } from '#contract/json';
import type { ToolDefinition } from '#contract/tool';
import { argumentSignatures } from './argument-signature.ts';
import { comparableSchema } from './comparable-schema.ts';

/** What `tools.lock.json` keeps of a published tool. */
export interface LockedTool {
  /** What it does on the wire: a renamed tool is known by it. */
  readonly request: string;
  /** What clients are told that a call may do. */
  readonly annotations: Readonly<Record<string, boolean>>;
  /** The scopes that it takes, or `public`. */
  readonly access: string;
  /** SHA-256 of its title and description. */
  readonly description: string;
  /** SHA-256 of the schema of its arguments. */
  readonly schema: string;
  /** SHA-256 of what calls are held to, where that is more than is published. */
  readonly whole?: string;
  /** What each argument allows. */
  readonly arguments: Readonly<Record<string, string>>;
}

export type ToolLock = Readonly<Record<string, LockedTool>>;

/** The part of a definition that callers hold on to. */
export type LockedDefinition = Pick<
  ToolDefinition,
  'name' | 'title' | 'description' | 'annotations' | 'access' | 'input'
>;

/** The lock of the tools as they are now. */
export function lockTools(
  tools: readonly {
    readonly definition: LockedDefinition;
    readonly request: string;
    readonly whole?: JsonSchema | undefined;
  }[],
): ToolLock {
  return Object.fromEntries(
    tools.map(({ definition, request, whole }) => [
      definition.name,
      {
        request,
        annotations: { ...definition.annotations },
        access: [definition.access].flat().join(' '),
        description: hash(
          'sha256',
          JSON.stringify([definition.title ?? null, definition.description]),
        ),
        schema: hash('sha256', JSON.stringify(definition.input)),
        ...(whole && { whole: hash('sha256', comparableSchema(whole)) }),
        arguments: argumentSignatures(definition.input),
      },
    ]),
  );
}

/** The text of a lock file. */
export function printLock(lock: ToolLock): string {
  return `${JSON.stringify({ tools: lock }, null, 2)}\n`;
}

/** Take a lock file for what it says; `undefined` when it is none. */
export function readLock(value: unknown): ToolLock | undefined {
  if (!isObject(value) || !isObject(value['tools'])) return undefined;
  const isLocked = (tool: unknown) =>
    isObject(tool) &&
    [tool['request'], tool['access'], tool['description'], tool['schema']].every(
      (text) => typeof text === 'string',
    ) &&
    ['string', 'undefined'].includes(typeof tool['whole']) &&
    isObject(tool['annotations']) &&
    isObject(tool['arguments']) &&
    Object.values(tool['arguments']).every((text) => typeof text === 'string');
  return Object.values(value['tools']).every(isLocked) ? (value['tools'] as ToolLock) : undefined;
}
