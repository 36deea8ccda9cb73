import { exitCodes } from './commands/exit-codes.ts';

const usage = `Usage: npm run generate -- [options]        write generated/ from specs/
       npm run provider -- <add|check|drift|list>   look after providers

  --check          compare instead of writing; exit code 1 when something differs
  --watch          write again whenever specs/ changes
  --accept         let published tools change in ways that break callers
  --provider ID    only this provider
  --format FORMAT  text (default), json or github
`;

/** The commands of the generator; each part is loaded when it is needed. */
async function main([command, ...args]: string[]): Promise<number> {
  if (command === 'generate') return runGenerate(args);
  if (command === 'provider') {
    const { runProvider } = await import('./provider/run.ts');
    return runProvider(args);
  }
  const { out, code } =
    command === '--help' || command === 'help'
      ? { out: process.stdout, code: exitCodes.ok }
      : { out: process.stderr, code: exitCodes.usage };
  out.write(usage);
  return code;
}

async function runGenerate(args: string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(usage);
    return exitCodes.ok;
  }
  const { readOptions } = await import('./commands/generate-options.ts');
  const options = readOptions(args, process.cwd());
  if ('problem' in options) {
    process.stderr.write(`${options.problem}\n\n${usage}`);
    return exitCodes.usage;
  }
  const { runGenerator } = await import('./commands/generate-command.ts');
  return runGenerator(options);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`internal error: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = exitCodes.internal;
}
