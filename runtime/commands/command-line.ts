import { parseArgs } from 'node:util';
import { ConfigError } from '#contract/config';
import { StartError } from '../start-error.ts';
import { version } from '../version.ts';
import { type Command, exitCode, UsageError } from './command.ts';

/** The commands by their names, each loaded when it is used. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  call: async () => (await import('./call.ts')).call,
  tools: async () => (await import('./tools.ts')).tools,
  doctor: async () => (await import('./doctor.ts')).doctor,
  audit: async () => (await import('./audit.ts')).audit,
};

const help = `agent-tool-server ${version}

  agent-tool-server serve               start the server
  agent-tool-server call TOOL ['JSON']  run one tool and print what it gives
  agent-tool-server tools [WORD...]     list the tools, or search them
  agent-tool-server doctor              check configuration, credentials and vendors

  agent-tool-server audit verify                         check the whole audit log
  agent-tool-server audit verify PATH VKEY [CHECKPOINT]  check an exported log or a .tlog-proof
  agent-tool-server audit export FOLDER                  write the log out, to be checked elsewhere
  agent-tool-server audit proof SEQ [SIZE]               print the proof that an entry is in the log
  agent-tool-server audit checkpoint                     print the newest signed checkpoint
  agent-tool-server audit vkey                           print the key that verifies checkpoints
  agent-tool-server audit succeed REASON                 continue a log that was rolled back by a new one

  agent-tool-server --help | --version

Everything is configured by environment variables: see generated/docs/configuration.md
`;

/** Run what the command line asks for; gives the exit code. */
export async function runCommand(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseCommandLine(args);
    if (values.version) return print(`${version}\n`);
    const [name, ...rest] = positionals;
    if (values.help || name === undefined) return print(help);
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!load) throw new UsageError(`there is no command ${JSON.stringify(name)}`);
    const run = await load();
    return await run(rest);
  } catch (error) {
    return explain(error);
  }
}

function parseCommandLine(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function print(text: string): number {
  process.stdout.write(text);
  return exitCode.success;
}

/** Say what went wrong; only what nobody foresaw comes with a stack trace. */
function explain(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n\n${help}`);
    return exitCode.usage;
  }
  const foreseen = error instanceof ConfigError || error instanceof StartError;
  const text = foreseen ? error.message : ((error as Error).stack ?? String(error));
  process.stderr.write(`agent-tool-server: ${text}\n`);
  return error instanceof ConfigError ? exitCode.config : exitCode.failure;
}
