import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '#contract/errors';
import { isObject } from '#contract/json';
import { nearestName } from '#contract/nearest-name';
import type { ToolResult } from '#contract/tool';
import { Call } from '../admission/call.ts';
import { terminalArrival } from '../admission/http-arrival.ts';
import type { Input } from '../admission/steps/pipeline.ts';
import type { Engines } from '../house/engines.ts';
import { createService } from '../main.ts';
import { createLog } from '../observe/log.ts';
import { toolErrorResult } from '../outbound/answer/tool-error-result.ts';
import { lookAtConfiguration } from '../process/configuration.ts';
import { StartError } from '../process/start-error.ts';
import { callLocally, type LocalAnswer, type LocalCall } from '../stdio/local-call.ts';
import { type Command, exitCode, UsageError } from './command.ts';
import { tenantOption } from './tenant-option.ts';
import { askAt, clientAt, type Terminal, withApproval } from './terminal-approval.ts';

/** How long another process may have the store. */
const storePatienceMs = 5000;
const storePollMs = 50;

/**
 * Run one tool, as the operator of a tenant: the server that runs on this data directory does it with its own settings, else this
 * process, with everything that stands between a client and a tool.
 */
export const call: Command = async ([name, text = '{}', ...rest], options) => {
  if (name === undefined || rest.length > 0) {
    throw new UsageError('call takes the name of a tool and its arguments as one JSON object');
  }
  const args = parseArguments(text);
  const { stdin: input, stderr: output } = process;
  const terminal = input.isTTY && output.isTTY ? { input, output } : undefined;
  const asked = { name, args, ...options };
  return (await callServer(asked, terminal)) ?? callHere(asked, terminal);
};

interface Asked {
  readonly name: string;
  readonly args: Input;
  /** Id of the tenant; without it, that of the server itself. */
  readonly tenant?: string | undefined;
}

/** Nothing where no server runs on this data directory. */
async function callServer(
  asked: Asked,
  terminal: Terminal | undefined,
): Promise<number | undefined> {
  const { config, problems } = lookAtConfiguration(process.env);
  // Where something is wrong, this process says so, with all else that is.
  if (problems.length > 0) return undefined;
  const log = createLog(config.logLevel);
  const { capabilities } = clientAt(terminal);
  const ask = (more?: Pick<LocalCall, 'inputResponses' | 'requestState'>) =>
    callLocally(config.dataDir, { ...asked, capabilities, ...more }, log);
  const first = await ask();
  if (!first) return undefined;
  const answer = first.kind === 'input' ? await answered(first, terminal, ask) : first;
  if (answer?.kind === 'result') return print(answer.result);
  throw new UsageError(
    answer?.kind === 'refused'
      ? `the server that runs says: ${answer.message}`
      : 'the tool asks for what cannot be answered at a terminal; call it from an MCP client',
  );
}

async function answered(
  { requests, requestState }: LocalAnswer & { kind: 'input' },
  terminal: Terminal | undefined,
  ask: (
    more: Pick<LocalCall, 'inputResponses' | 'requestState'>,
  ) => Promise<LocalAnswer | undefined>,
): Promise<LocalAnswer | undefined> {
  const inputResponses = terminal && (await askAt(terminal, requests));
  return inputResponses && ask({ inputResponses, requestState });
}

async function callHere(
  { name, args, ...options }: Asked,
  terminal: Terminal | undefined,
): Promise<number> {
  const { config, offer, admission, engines, life } = await createService(process.env);
  try {
    const tenant = tenantOption(options, config);
    const tool = await offer.catalogue.find(name, tenant);
    if (!tool) throw unknownTool(name, offer.catalogue.names(tenant));
    await openStore(engines);
    const side = { client: clientAt(terminal) };
    const context = new Call(
      await admission.authenticate({ ...terminalArrival, tenant }),
      undefined,
      side,
    );
    const work = () => engines.running.settle(context, tool.run(args, context));
    return print(await withApproval(context, terminal, work));
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return print(toolErrorResult(error));
  } finally {
    await life.stop();
  }
}

/** Another call that runs at the same time has it for a moment; what keeps nothing works without it. */
async function openStore({ store, log }: Engines): Promise<void> {
  const patience = performance.now() + storePatienceMs;
  for (;;) {
    try {
      await store.open();
      return;
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      if (performance.now() > patience) {
        log.warn(`nothing is remembered of this call: ${error.message}`);
        return;
      }
      await sleep(storePollMs);
    }
  }
}

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
