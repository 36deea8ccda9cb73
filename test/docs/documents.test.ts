import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { suite, test } from 'node:test';
import { streamsFor } from '../../runtime/bus/create-bus.ts';
import { runCli } from '../runtime/cli/run-cli.ts';
import { blocksIn, type Document, documents, project } from './documents.ts';

const configuration = readFileSync(join(project, 'generated/docs/configuration.md'), 'utf8');

/** Streams of the event bus are written as variables are. */
const streamNames = new Set(streamsFor(false).map(({ name }) => name));

const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
const { stdout: help } = await runCli(['--help']);

/** What each language of a block is for; another test does each of them. */
const languages = ['sh', 'json', 'js', 'yaml', 'ts', 'sql', 'ini', 'text'];

for (const document of documents) {
  suite(document.name, () => {
    test('links lead to a file, a folder or a heading', () => {
      const dead = linksOf(document).filter((link) => !leadsSomewhere(document, link));
      assert.deepEqual(dead, []);
    });

    test('files and folders that it names exist', () => {
      const gone = pathsIn(document).filter((path) => !existsSync(join(project, path)));
      assert.deepEqual(gone, []);
    });

    test('commands that it only mentions exist', () => {
      const gone = inlineCode(document).filter((code) => {
        const [, script] = /^npm run ([\w:-]+)/.exec(code) ?? [];
        if (script !== undefined) return !Object.hasOwn(scripts, script);
        const [, words] = /^(?:npx )?agent-tool-server ([a-z]+(?: [a-z-]+)?)/.exec(code) ?? [];
        return words !== undefined && !help.includes(`  agent-tool-server ${words}`);
      });
      assert.deepEqual(gone, []);
    });

    test('variables that it names are known', () => {
      assert.deepEqual(variablesIn(document).filter(isUnknown), []);
    });

    test('every block says what it is, and those with files say which', () => {
      for (const { line, language, file } of document.blocks) {
        assert.ok(languages.includes(language), `line ${line}: ${language}`);
        if (['yaml', 'ts'].includes(language)) assert.ok(file, `line ${line} names no file`);
      }
    });

    test('no line is longer than readers of text can see, but in tables and examples', () => {
      const prose = document.text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '');
      const long = prose.split('\n').filter((line) => line.length > 120 && !line.startsWith('|'));
      assert.deepEqual(long, []);
    });
  });
}

test('the README is for newcomers: 150 lines at most', () => {
  const [readme] = documents;
  assert.ok(readme && readme.text.split('\n').length <= 151);
});

test('every guide can be reached from the README', () => {
  const [readme] = documents;
  assert.ok(readme);
  const targets = linksOf(readme);
  for (const { name } of documents.slice(1)) assert.ok(targets.includes(name), name);
});

test('the page about the architecture names every room', () => {
  const { text = '' } = documents.find(({ name }) => name === 'docs/architecture.md') ?? {};
  for (const house of ['runtime', 'generator']) {
    const entries = readdirSync(join(project, house), { withFileTypes: true });
    const rooms = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    assert.deepEqual(
      rooms.filter((room) => !text.includes(`\`${room}/\``)),
      [],
    );
  }
});

test('there are scripts, grants and settings that other tests read', () => {
  for (const language of ['js', 'sql', 'ini', 'json', 'yaml']) {
    assert.ok(blocksIn(language).length > 0, language);
  }
});

const variable = /\bSERVICE_[A-Z0-9_]+\*?/g;

function linksOf({ text }: Document): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) =>
    /^https:\/\//.test(target) ? [] : [target],
  );
}

function leadsSomewhere({ name, text }: Document, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? name : normalize(join(dirname(name), path));
  if (target.startsWith('..') || !existsSync(join(project, target))) return false;
  if (anchor === undefined) return true;
  const linked = target === name ? text : readFileSync(join(project, target), 'utf8');
  return headingsOf(linked).includes(anchor);
}

/** The anchors that GitHub gives to headings. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Paths from the top of the project that stand between backticks, without placeholders. */
function pathsIn(document: Document): string[] {
  const own = document.blocks.flatMap(({ file }) => (file === undefined ? [] : [dirname(file)]));
  const made = ['specs/providers/acme', ...own];
  return inlineCode(document).filter(
    (code) =>
      /^(specs|generator|generated|runtime|test|docs)\/[\w./-]*$/.test(code) &&
      !made.some((folder) => code.startsWith(`${folder}/`)),
  );
}

function variablesIn({ text, blocks }: Document): string[] {
  // A file of an example may bring variables of its own.
  const files = blocks.filter(({ file }) => file !== undefined).map((block) => block.text);
  const own = new Set(files.join().match(variable));
  return (text.match(variable) ?? []).filter((name) => !own.has(name));
}

function isUnknown(name: string): boolean {
  if (streamNames.has(name)) return false;
  if (name.endsWith('*')) return !configuration.includes(name.slice(0, -1));
  return ![name, name.replace(/_FILE$/, '')].some((each) => configuration.includes(`\`${each}\``));
}

function inlineCode({ text }: Document): string[] {
  const prose = text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}
