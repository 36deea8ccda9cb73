import { ToolError } from '#contract/errors';
import { isObject } from '#contract/json';
import { nearestName } from '#contract/nearest-name';
import type { ToolResult } from '#contract/tool';
import { Call } from '../admission/call.ts';
import { terminalArrival } from '../admission/http-arrival.ts';
import type { Input } from '../admission/steps/pipeline.ts';
import { createService } from '../main.ts';
import { toolErrorResult } from '../outbound/answer/tool-error-result.ts';
import { type Command, exitCode, UsageError } from './command.ts';
import { clientAt, withApproval } from './terminal-approval.ts';

/** Run one tool in this process, with everything that stands between a client and a tool. */
export const call: Command = async ([name, text = '{}', ...rest]) => {
  if (name === undefined || rest.length > 0) {
    throw new UsageError('call takes the name of a tool and its arguments as one JSON object');
  }
  const args = parseArguments(text);
  const { offer, admission, engines, life } = await createService(process.env);
  try {
    const tool = await offer.catalogue.find(name);
    if (!tool) throw unknownTool(name, offer.catalogue.names);
    const { stdin: input, stderr: output } = process;
    const terminal = input.isTTY && output.isTTY ? { input, output } : undefined;
    const side = { client: clientAt(terminal) };
    const context = new Call(await admission.authenticate(terminalArrival), undefined, side);
    const work = () => engines.running.settle(context, tool.run(args, context));
    return print(await withApproval(context, terminal, work));
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return print(toolErrorResult(error));
  } finally {
    await life.stop();
  }
};

function parseArguments(text: string): Input {
  const expected = 'the arguments must be one JSON object, for example \'{"id": 7}\'';
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    throw new UsageError(`${expected}: ${(error as Error).message}`);
  }
  throw new UsageError(expected);
}

function unknownTool(name: string, names: Iterable<string>): UsageError {
  const nearest = nearestName(name, names);
  const hint = nearest === undefined ? 'see "tools" for all of them' : `did you mean ${nearest}?`;
  return new UsageError(`there is no tool ${JSON.stringify(name)}; ${hint}`);
}

function print({ content, structuredContent, isError }: ToolResult): number {
  process.stdout.write(`${JSON.stringify(structuredContent ?? content, null, 2)}\n`);
  return isError ? exitCode.failure : exitCode.success;
}
