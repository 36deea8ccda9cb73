import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exitCodes } from '../commands/exit-codes.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import {
  type DiagnosticFormat,
  diagnosticFormats,
  formatDiagnostics,
  shownLines,
} from '../diagnostics/format-diagnostics.ts';
import { suggestion } from '../diagnostics/suggestion.ts';
import { providerIds } from '../kinds/providers.ts';
import { unwritten } from '../write/put-file.ts';
import { addProvider } from './add-provider.ts';
import { addedText } from './added-text.ts';
import { checkProvider } from './check-provider.ts';
import { driftText } from './drift/drift-text.ts';
import { type DriftReport, findDrift, nothingCompared } from './drift/find-drift.ts';
import { listProviders } from './list-providers.ts';
import { reservedIds } from './reserved-ids.ts';
import { FetchError } from './source/fetch-error.ts';

const usage = `Usage: npm run provider -- add ID --openapi FILE|URL [--root DIR] [--licence SPDX]
                             [--texts keep|drop]
       npm run provider -- check [ID...]
       npm run provider -- drift ID --openapi FILE|URL [--root DIR] [--format text|json|github]
       npm run provider -- list

  add      draft a provider out of an OpenAPI description, or extend it by what its curation names
  check    check what generate checks, but for tools.lock.json, and the fixtures, and look for credentials
  drift    compare what a provider keeps with a later description; nothing is written.
           0: nothing that breaks callers, 1: something does, 2: not all could be compared,
           3: no such provider, file or option
  list     show all providers and whether their credentials are set

  --root DIR      the folder that references of the description may not leave
  --licence SPDX  the licence of the description, where it does not name it itself
  --texts keep|drop
                  whether its descriptions are kept: unless it names a licence that may forbid it
`;

/** Where a run takes place and what it may print to. */
export interface Surroundings {
  readonly base: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

const usual: Surroundings = {
  base: process.cwd(),
  env: process.env,
  print: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
};

class UsageError extends Error {}

/** Run `provider add`, `check` or `list`; gives the exit code. */
export async function runProvider(
  argv: readonly string[],
  surroundings: Surroundings = usual,
): Promise<number> {
  const [command, ...args] = argv;
  if (command === 'help' || argv.includes('--help')) {
    surroundings.print(usage);
    return exitCodes.ok;
  }
  try {
    switch (command) {
      case 'add':
        return await add(args, surroundings);
      case 'check':
        return await check(args, surroundings);
      case 'drift':
        return await drift(args, surroundings);
      case 'list':
        if (parse(args, 'list').positionals.length > 0) {
          throw new UsageError('list takes no provider id: it shows all of them');
        }
        surroundings.print(listProviders(surroundings.base, surroundings.env));
        return exitCodes.ok;
      default:
        throw new UsageError(
          command === undefined ? 'a command is missing' : `no command ${command}`,
        );
    }
  } catch (error) {
    const told = error instanceof FetchError ? error.message : unwritten(error);
    if (told !== undefined) {
      surroundings.complain(`${told}\n`);
      return exitCodes.errors;
    }
    if (!(error instanceof UsageError)) throw error;
    surroundings.complain(`${error.message}\n\n${usage}`);
    return exitCodes.usage;
  }
}

async function add(args: readonly string[], { base, print, complain }: Surroundings) {
  const options = readAddOptions(args, base);
  const result = await addProvider(options);
  complain(toldText(result.diagnostics));
  if (!('written' in result)) {
    const problem = result.problem === undefined ? '' : `${shownLines(result.problem)}; `;
    complain(`${problem}nothing was written\n`);
    return exitCodes.errors;
  }
  print(shownLines(addedText(options.id, result)));
  return exitCodeOf(result.diagnostics);
}

function readAddOptions(args: readonly string[], base: string) {
  const { values, positionals } = parse(args, 'add');
  const [id, ...rest] = positionals;
  if (id === undefined) throw new UsageError('add takes a provider id, such as acme');
  if (rest.length > 0) {
    const others = rest.map((word) => JSON.stringify(word)).join(', ');
    throw new UsageError(
      `add takes one provider id, and got ${others} besides ${JSON.stringify(id)}: a description is named by --openapi`,
    );
  }
  if (!/^[a-z][a-z0-9_]{1,23}$/.test(id)) {
    throw new UsageError(
      `${JSON.stringify(id)} is no provider id: 2 to 24 of a-z, 0-9 and "_", a letter first`,
    );
  }
  const meaning = reservedIds(base).get(id);
  if (meaning !== undefined) {
    throw new UsageError(`${id} is ${meaning} already: choose a provider id that nothing else has`);
  }
  const { licence, texts } = values;
  if (texts !== undefined && texts !== 'keep' && texts !== 'drop') {
    throw new UsageError(`--texts is keep or drop, not ${JSON.stringify(texts)}`);
  }
  const day = new Date().toISOString().slice(0, 10);
  return {
    ...descriptionOf(values, base),
    id,
    base,
    day,
    ...(licence !== undefined && { licence }),
    ...(texts !== undefined && { texts: texts === 'keep' }),
  };
}

/** The description that the command line names. */
function descriptionOf({ openapi, root }: Values, base: string) {
  if (openapi === undefined) throw new UsageError('--openapi FILE|URL is missing');
  const isAddress = /^https?:\/\//i.test(openapi);
  if (isAddress && !URL.canParse(openapi)) {
    // A user, a password or a query may be a secret.
    const shown = openapi.replace(/[?#].*$/s, '').replace(/(?<=:\/\/).*@/s, '');
    throw new UsageError(
      `--openapi takes a file or an http(s) address, and ${JSON.stringify(shown)} is none`,
    );
  }
  if (!isAddress && !existsSync(join(base, openapi)) && !existsSync(openapi)) {
    throw new UsageError(`there is no file ${openapi}`);
  }
  return { description: openapi, ...(root !== undefined && { root }) };
}

async function check(args: readonly string[], { base, print, complain }: Surroundings) {
  const known = providerIds(base);
  const { positionals } = parse(args, 'check');
  const unknown = positionals.find((id) => !known.includes(id));
  if (unknown !== undefined) {
    throw new UsageError(`there is no provider ${unknown}: ${suggestion(unknown, known)}`);
  }
  let code: number = exitCodes.ok;
  const reserved = reservedIds(base);
  for (const id of positionals.length > 0 ? positionals : known) {
    const { tools, diagnostics } = await checkProvider(base, id, reserved);
    complain(toldText(diagnostics));
    print(`${id}: ${tools} tools, ${errorsIn(diagnostics).length} errors\n`);
    code = Math.max(code, exitCodeOf(diagnostics));
  }
  return code;
}

async function drift(args: readonly string[], surroundings: Surroundings) {
  const { base, print } = surroundings;
  const { values, positionals } = parse(args, 'drift');
  const format = diagnosticFormats.find((each) => each === (values.format ?? 'text'));
  if (format === undefined) {
    throw new UsageError(
      `--format is one of ${diagnosticFormats.join(', ')}, not ${JSON.stringify(values.format)}`,
    );
  }
  try {
    const report = await driftReport({ values, positionals }, base);
    return tellDrift(report, format, surroundings);
  } catch (error) {
    const isTold = error instanceof FetchError || error instanceof UsageError;
    if (isTold && format !== 'text') {
      const report = nothingCompared(positionals[0] ?? '', '', []);
      print(driftText({ ...report, problem: error.message }, format));
    }
    throw error;
  }
}

async function driftReport(
  { values, positionals }: ReturnType<typeof parse>,
  base: string,
): Promise<DriftReport> {
  const [id, ...rest] = positionals;
  if (id === undefined || rest.length > 0) throw new UsageError('drift takes one provider id');
  const known = providerIds(base);
  if (!known.includes(id)) {
    throw new UsageError(`there is no provider ${id}: ${suggestion(id, known)}`);
  }
  return findDrift({ ...descriptionOf(values, base), id, base });
}

function tellDrift(
  report: DriftReport,
  format: DiagnosticFormat,
  { print, complain }: Surroundings,
): number {
  const isCompared = report.diagnostics.length === 0;
  (isCompared || format === 'json' ? print : complain)(driftText(report, format));
  if (!isCompared) return exitCodes.errors;
  if (report.counts.breaking > 0) return exitCodes.drift;
  return report.counts.unread > 0 ? exitCodes.errors : exitCodes.ok;
}

/** What each command can be told; an option that means nothing to it would be believed to count. */
const optionsOf = {
  add: ['openapi', 'root', 'licence', 'texts'],
  check: [],
  drift: ['openapi', 'root', 'format'],
  list: [],
} as const;

type Values = Partial<Record<'openapi' | 'root' | 'licence' | 'texts' | 'format', string>>;

function parse(args: readonly string[], command: keyof typeof optionsOf) {
  const known = optionsOf[command];
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(known.map((name) => [name, { type: 'string' } as const])),
    });
    return { values: values as Values, positionals };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw new UsageError(message);
    const option = /'([^']*)'/.exec(message)?.[1] ?? '';
    const takes = known.length === 0 ? 'none' : known.map((name) => `--${name}`).join(', ');
    throw new UsageError(`Unknown option '${option}': ${command} takes ${takes}`);
  }
}

function errorsIn(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}

function exitCodeOf(diagnostics: readonly Diagnostic[]): number {
  return errorsIn(diagnostics).length > 0 ? exitCodes.errors : exitCodes.ok;
}

/** More problems of one description than anybody reads on a terminal; errors come first. */
const mostTold = 100;

function toldText(diagnostics: readonly Diagnostic[]): string {
  const forPeople = diagnostics.filter(({ severity }) => severity !== 'info');
  if (forPeople.length <= mostTold) return formatDiagnostics(forPeople, 'text');
  const errorsFirst = [
    ...errorsIn(forPeople),
    ...forPeople.filter(({ severity }) => severity !== 'error'),
  ];
  const told = formatDiagnostics(errorsFirst.slice(0, mostTold), 'text');
  return `${told}and ${forPeople.length - mostTold} more\n`;
}
