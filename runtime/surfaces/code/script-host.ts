import type { CallContext, Caller } from '#contract/caller';
import { InputRequired, MissingCapability } from '#contract/client';
import { ServiceError, ToolError, type ToolErrorCode } from '#contract/errors';
import type { OfferedTools } from '#contract/house/offered-tools';
import type { ScriptHost, ToldAnswer } from '#contract/house/sandbox';
import { isObject, type Json, mostLevels, nestedDeeperThan } from '#contract/json';
import { excessOfJson } from '#contract/text/json-size';
import { untrustedKey } from '#contract/text/untrusted';
import type { ToolDefinition, ToolResult } from '#contract/tool';

type Args = Readonly<Record<string, unknown>>;

/** What a script needs of the rest of the server. */
export interface ScriptTools extends Pick<OfferedTools, 'definition' | 'suggest' | 'callApart'> {
  /** Told of failures that nobody foresaw. */
  report(error: unknown, tool: string): void;
}

/** What a script calls, and what came of that. */
export interface ToolHost extends ScriptHost {
  /** Third parties wrote something that the script was told. */
  readonly isUntrusted: boolean;
}

/** Let a script call tools on behalf of whoever sent it. */
export function hostFor(
  tools: ScriptTools,
  context: CallContext,
  mostCharacters: number,
): ToolHost {
  let done = 0;
  let isUntrusted = false;
  return {
    get isUntrusted() {
      return isUntrusted;
    },
    async call(tool, text, signal) {
      const answer = await answerOf(tools, tool, text, context, signal);
      done += 1;
      isUntrusted ||= answer.isUntrusted;
      context.progress?.(done, undefined, tool);
      const { ok, text: given } = answer;
      return given.length <= mostCharacters ? { ok, text: given } : tooLarge(tool, mostCharacters);
    },
  };
}

interface SourcedAnswer extends ToldAnswer {
  readonly isUntrusted: boolean;
}

async function answerOf(
  tools: ScriptTools,
  name: string,
  text: string,
  context: CallContext,
  signal: AbortSignal,
): Promise<SourcedAnswer> {
  try {
    const args = argumentsOf(text);
    const definition = await tools.definition(name, context.caller.tenant);
    if (definition) requireScriptable(definition);
    const work = definition && tools.callApart(name, args, context, signal);
    if (!work) return told(false, await unknownTool(tools, name, context.caller));
    const result = await work;
    return told(result.isError !== true, answerIn(result), result._meta?.[untrustedKey] === true);
  } catch (error) {
    const isUntrusted = error instanceof ToolError && error.detail.untrusted === true;
    return told(false, explain(tools, name, error), isUntrusted);
  }
}

/** What comes out of the sandbox is as strange as what comes from a client. */
function argumentsOf(text: string): Args {
  const excess = excessOfJson(text);
  if (excess !== undefined) throw invalid(`the JSON text of the arguments ${excess}`);
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw invalid('the arguments must be one object');
  if (nestedDeeperThan(value, mostLevels)) throw invalid('the arguments are nested too deeply');
  return value;
}

/**
 * A script cannot wait for a person, and running it again with the answer would repeat what it has
 * done: so whatever needs somebody's approval is called directly, where the client can be asked.
 */
function requireScriptable({ name, confirm, task }: ToolDefinition): void {
  if (confirm) throw direct(name, 'a person has to agree to it');
  if (task === 'required') throw direct(name, 'it goes on as a task');
}

function direct(name: string, why: string): ToolError {
  const message = `${name} cannot be called in a script, because ${why}; call it with tool_call`;
  return new ToolError('confirmation_required', message);
}

/** What the script gets: data where there is data, else text, else all of the content. */
function answerIn({ content, structuredContent, isError }: ToolResult): unknown {
  if (isError) return failureIn(structuredContent) ?? failureOf('upstream_error', textOf(content));
  if (structuredContent !== undefined) return structuredContent;
  return content.every(({ type }) => type === 'text') ? textOf(content) : content;
}

function textOf(content: ToolResult['content']): string {
  return content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n');
}

function failureIn(content: unknown): object | undefined {
  const error = isObject(content) ? content['error'] : undefined;
  return isObject(error) && typeof error['message'] === 'string' ? error : undefined;
}

function explain(tools: ScriptTools, name: string, error: unknown): object {
  if (error instanceof InputRequired || error instanceof MissingCapability) {
    const { code, message } = direct(name, 'somebody has to be asked first');
    return failureOf(code, message);
  }
  if (error instanceof ToolError) {
    const { retryable, retryAfterMs, details } = error.detail;
    return {
      ...failureOf(error.code, error.message),
      ...(retryable && { retryable }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(details !== undefined && { details: details as Json }),
    };
  }
  if (error instanceof ServiceError) return failureOf(error.code, error.message);
  tools.report(error, name);
  return failureOf('internal', `${name} failed for a reason that nobody foresaw`);
}

function failureOf(code: ToolErrorCode | string, message: string): object {
  return { code, message };
}

async function unknownTool(tools: ScriptTools, name: string, caller: Caller): Promise<object> {
  const names = await tools.suggest(name, caller);
  const meant = names.length > 0 ? `; did you mean ${names.join(' or ')}?` : '';
  return failureOf('not_found', `there is no function ${JSON.stringify(name)}${meant}`);
}

function tooLarge(tool: string, most: number): ToldAnswer {
  const message = `${tool} gave more than ${most} characters; ask for less`;
  return told(false, failureOf('response_too_large', message));
}

function invalid(message: string): ToolError {
  return new ToolError('invalid_arguments', message);
}

function told(ok: boolean, value: unknown, isUntrusted = false): SourcedAnswer {
  return { ok, text: JSON.stringify(value) ?? 'null', isUntrusted };
}
