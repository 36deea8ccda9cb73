import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmittedFile } from '../emit/print/emitted-file.ts';

/** What was laid out lately: runs over and over, as in `--watch`, print the same texts again. */
const known = new Map<string, string>();
const mostKnown = 500;

/**
 * Lay out what templates have made, in one run of Biome with the settings of this house.
 *
 * @throws Error where a text is no TypeScript, with what Biome says of it
 */
export function formatFiles(files: readonly EmittedFile[]): EmittedFile[] {
  const texts = files.flatMap(({ text, isRaw }) => (isRaw && !known.has(text) ? [text] : []));
  const laidOut = texts.length === 0 ? new Map<string, string>() : format([...new Set(texts)]);
  const done = files.map(({ path, text, isRaw }) => ({
    path,
    text: isRaw ? (laidOut.get(text) ?? known.get(text) ?? text) : text,
  }));
  for (const [text, result] of laidOut) known.set(text, result);
  for (const oldest of known.keys()) {
    if (known.size <= mostKnown) break;
    known.delete(oldest);
  }
  return done;
}

function format(texts: readonly string[]): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'format-'));
  try {
    const { formatter, javascript, assist } = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../biome.json'), 'utf8'),
    );
    const settings = { root: true, formatter, javascript, assist, linter: { enabled: false } };
    writeFileSync(join(folder, 'biome.json'), JSON.stringify(settings));
    const path = (index: number) => join(folder, `${index}.ts`);
    for (const [index, text] of texts.entries()) writeFileSync(path(index), text);
    const [program, ...args] = biome();
    execFileSync(program, [...args, 'check', '--write', '--colors=off', '.'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return new Map(texts.map((text, index) => [text, readFileSync(path(index), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Its program for this machine, or the script that finds one, which takes longer to start. */
function biome(): [program: string, ...args: string[]] {
  const { resolve } = createRequire(import.meta.url);
  try {
    const suffix = process.platform === 'win32' ? '.exe' : '';
    return [resolve(`@biomejs/cli-${process.platform}-${process.arch}/biome${suffix}`)];
  } catch {
    return [process.execPath, resolve('@biomejs/biome/bin/biome')];
  }
}
