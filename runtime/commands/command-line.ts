import { parseArgs } from 'node:util';
import { ConfigError } from '#contract/config/config';
import { ServiceError } from '#contract/errors';
import { StartError } from '../process/start-error.ts';
import { warningLines } from '../process/start-warnings.ts';
import { version } from '../process/version.ts';
import { type Command, type CommandOptions, exitCode, UsageError } from './command.ts';

/** A command, loaded when it is used, and the options that it takes; each has a value. */
interface Entry {
  readonly load: () => Promise<Command>;
  readonly options?: readonly string[];
}

/** The commands by their names. */
const commands: Readonly<Record<string, Entry>> = {
  serve: { load: async () => (await import('./serve.ts')).serve },
  stdio: { load: async () => (await import('./stdio.ts')).stdio },
  call: { load: async () => (await import('./call.ts')).call, options: ['tenant'] },
  tools: { load: async () => (await import('./tools.ts')).tools, options: ['tenant'] },
  doctor: { load: async () => (await import('./doctor.ts')).doctor },
  audit: { load: async () => (await import('./audit/audit.ts')).audit },
  token: {
    load: async () => (await import('./surface-command.ts')).surfaceCommand('token'),
    options: ['scope', 'resource', 'minutes', 'tenant'],
  },
  agents: {
    load: async () => (await import('./surface-command.ts')).surfaceCommand('agents'),
    options: ['tenant'],
  },
  keys: {
    load: async () => (await import('./surface-command.ts')).surfaceCommand('keys'),
    options: ['tenant'],
  },
  tenants: { load: async () => (await import('./surface-command.ts')).surfaceCommand('tenants') },
  connections: {
    load: async () => (await import('./surface-command.ts')).surfaceCommand('connections'),
    options: ['tenant'],
  },
  payments: {
    load: async () => (await import('./surface-command.ts')).surfaceCommand('payments'),
    options: ['tenant', 'state', 'from', 'to'],
  },
  observability: {
    load: async () => (await import('./surface-command.ts')).surfaceCommand('observability'),
    options: ['tenant'],
  },
  store: { load: async () => (await import('./store.ts')).store, options: ['to'] },
  bus: { load: async () => (await import('./bus/bus.ts')).bus, options: ['to'] },
};

const help = `agent-tool-server ${version}

  agent-tool-server serve               start the server
  agent-tool-server stdio               speak MCP on standard input and output
  agent-tool-server call TOOL ['JSON']  run one tool and print what it gives
  agent-tool-server tools [WORD...]     list the tools, or search them
  agent-tool-server doctor              check configuration, credentials and vendors
  agent-tool-server doctor bus          check the event bus
  agent-tool-server doctor observability  check back ends of telemetry
  agent-tool-server doctor payments     check whether payments can be taken and given back

  agent-tool-server token [--scope 'A B'] [--resource URL] [--minutes N]
                                        print an access token for trying things out, of an hour where nothing is said
  agent-tool-server agents list           list the agents that have registered, the newest first
  agent-tool-server agents show ID        show one of them
  agent-tool-server agents revoke ID      revoke one of them with all its tokens

  agent-tool-server keys list             list the keys that sign tokens, each with its state and since when
  agent-tool-server keys drop KID         drop one that somebody else may have, with all that it has signed

  agent-tool-server tenants list          list those who share this server, each with its address
  agent-tool-server tenants revoke ID     end every token, consent, session and registration of one of them
      call, tools, token, agents, keys, connections, observability and payments take --tenant ID for another tenant than default

  agent-tool-server connections list                      list the accounts that people have connected at vendors
  agent-tool-server connections disconnect PERSON VENDOR  disconnect one of them

  agent-tool-server observability list                  list the back ends of telemetry, and how they are
  agent-tool-server observability register JSON         register one of them
  agent-tool-server observability enable SIGNAL/ID      use it; also disable, primary, check and remove
  agent-tool-server observability collector [apply]     show the configuration of the collector, or apply it

  agent-tool-server payments list [--state S] [--from T] [--to T]
                                        list the newest payments, perhaps of one state or time (2026-11-23, UTC)
  agent-tool-server payments show ID    show one of them with its entries in the ledger
  agent-tool-server payments refund ID  give one of them back
  agent-tool-server payments reconcile [--from T]
                                        settle what is open, and hold the ledger against where the money is
  agent-tool-server payments export [--from T] [--to T]
                                        print the ledger as CSV: sums of each day, rail, asset and agent

  agent-tool-server audit verify                         check the whole audit log
  agent-tool-server audit verify PATH VKEY [FILE...]     check an exported log against checkpoints, or a proof against its entry
  agent-tool-server audit verify-receipt FILE [VKEY [LOG]]
                                                         check receipts of payments, as payments_receipts gives them, perhaps
                                                         against an exported log, which knows what came back
  agent-tool-server audit export FOLDER                  write the log out, to be checked elsewhere
  agent-tool-server audit proof SEQ [SIZE]               print the proof that an entry is in the log
  agent-tool-server audit checkpoint                     print the newest signed checkpoint
  agent-tool-server audit vkey                           print the keys that verify checkpoints, newest first
  agent-tool-server audit rotate                         make a new signing key, which the old one confirms
  agent-tool-server audit witness-vkey                   print the key that cosigns the logs of others
  agent-tool-server audit succeed REASON                 continue a log that was rolled back by a new one

  agent-tool-server store backup FOLDER   write everything that is kept into a new folder
  agent-tool-server store restore FOLDER  put such a backup in the place of an empty store
  agent-tool-server store check           look for damage in all that is kept
  agent-tool-server store copy --to URL   move everything into an empty PostgreSQL database

  agent-tool-server bus move --to URL     move the event bus from the store to NATS

  agent-tool-server --help | --version

Everything is configured by environment variables: see generated/docs/configuration.md
`;

/** Run what the command line asks for; gives the exit code. */
export async function runCommand(args: readonly string[]): Promise<number> {
  try {
    const { help: helpWanted, version: versionWanted, words, options } = parseCommandLine(args);
    if (versionWanted) return print(`${version}\n`);
    const [name, ...rest] = words;
    if (helpWanted || name === undefined) return print(help);
    const entry = findEntry(name);
    if (!entry) throw new UsageError(`there is no command ${JSON.stringify(name)}`);
    const run = await entry.load();
    return await run(rest, options);
  } catch (error) {
    return explain(error);
  }
}

function findEntry(name: string | undefined): Entry | undefined {
  return name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
}

function parseCommandLine(args: readonly string[]) {
  const own = findEntry(args.find((word) => !word.startsWith('-')))?.options ?? [];
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...Object.fromEntries(own.map((name) => [name, { type: 'string' as const }])),
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
    const { help, version, ...options } = values;
    return { help, version, words: positionals, options: options as CommandOptions };
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
    const hint = 'agent-tool-server --help lists the commands';
    process.stderr.write(`agent-tool-server: ${error.message}\n${hint}\n`);
    return exitCode.usage;
  }
  const foreseen =
    error instanceof ConfigError ||
    error instanceof StartError ||
    error instanceof ServiceError ||
    // What the file system refuses is for the operator to put right.
    (error instanceof Error && 'errno' in error && 'syscall' in error);
  const text = foreseen ? error.message : ((error as Error).stack ?? String(error));
  process.stderr.write(`agent-tool-server: ${[text, ...warningLines(error)].join('\n')}\n`);
  return error instanceof ConfigError ? exitCode.config : exitCode.failure;
}
