import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { parse } from 'yaml';
import { type Block, commandsOf, documents, project } from './documents.ts';
import { Reader } from './reader.ts';

/** What the documents ask for that a test cannot do, with the reasons. */
const exceptions: {
  readonly not_run: Readonly<Record<string, string>>;
  readonly without_server: readonly string[];
  readonly exit_codes: Readonly<Record<string, Readonly<Record<string, string>>>>;
} = parse(readFileSync(join(import.meta.dirname, 'commands.yaml'), 'utf8'));

const steps = documents.flatMap(({ blocks }) => blocks.flatMap(stepsOf));

function stepsOf(block: Block): readonly Step[] {
  if (block.language === 'sh') return commandsOf(block).map((command) => ({ block, command }));
  return block.file === undefined ? [] : [{ block, file: block.file }];
}

type Step = { readonly block: Block } & ({ readonly command: string } | { readonly file: string });

suite('a reader who does what the documents say, in a fresh clone', () => {
  let reader: Reader;
  before(async () => {
    reader = await Reader.arrive(project);
  });
  after(() => reader.leave());

  for (const step of steps) {
    const { block } = step;
    test(`${block.document}:${block.line} ${'command' in step ? step.command : step.file}`, async () => {
      await reader.turnTo(block.document);
      if ('file' in step) {
        const path = join(reader.clone, step.file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, block.text);
        return;
      }
      const { command } = step;
      if (Object.hasOwn(exceptions.not_run, command)) return;
      if (exceptions.without_server.includes(command)) await reader.stopServer();
      if (/npm start$/.test(command)) {
        await reader.startServer(command);
        return;
      }
      const { code, output } = await reader.run(command);
      const allowed = ['0', ...Object.keys(exceptions.exit_codes[command] ?? {})];
      assert.ok(allowed.includes(String(code)), output);
      assert.ok(/^cp |>/.test(command) || output.trim() !== '', 'it says nothing');
      if (/^curl .*"jsonrpc"/.test(command)) assert.ok(JSON.parse(output).result, output);
    });
  }
});

test('there are commands in every document that tells people what to do', () => {
  const told = new Set(steps.map(({ block }) => block.document));
  for (const name of ['README.md', 'CONTRIBUTING.md', 'docs/audit.md', 'docs/operating.md'])
    assert.ok(told.has(name), name);
  assert.ok(steps.length >= 40, `found ${steps.length}`);
});

test('every exception is one of a command that stands in a document', () => {
  const commands = steps.flatMap((step) => ('command' in step ? [step.command] : []));
  const { not_run, without_server, exit_codes } = exceptions;
  const named = [...Object.keys(not_run), ...without_server, ...Object.keys(exit_codes)];
  assert.deepEqual(
    named.filter((command) => !commands.includes(command)),
    [],
  );
});

test('what is left to CI is a step of CI, and what is left to another test has one', () => {
  const ci = readFileSync(join(project, '.ci/run'), 'utf8');
  for (const [command, why] of Object.entries(exceptions.not_run)) {
    const [other] = /test\/\S+\.ts/.exec(why) ?? [];
    if (other === undefined) assert.ok(ci.includes(`" ${command}\n`), command);
    else assert.ok(existsSync(join(project, other)), other);
  }
});
