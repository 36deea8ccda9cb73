import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runProvider } from '../../../generator/provider/run.ts';

/** A folder with nothing but the schemas of the specs, and the commands to run in it. */
export interface Workplace {
  readonly base: string;
  /** Run `provider ...`; gives the exit code and everything that was printed. */
  run(...argv: string[]): Promise<{ code: number; out: string; err: string }>;
  read(name: string): string;
  write(name: string, text: string): void;
}

/** What tells of the end of a test, or of all tests of a file. */
interface Ending {
  after(remove: () => void): void;
}

/** Make a workplace that is gone after the test. */
export function createWorkplace(t: Ending, env: Record<string, string> = {}): Workplace {
  const base = mkdtempSync(join(tmpdir(), 'provider-test-'));
  t.after(() => rmSync(base, { recursive: true }));
  cpSync(join(import.meta.dirname, '../../../specs/schemas'), join(base, 'specs/schemas'), {
    recursive: true,
  });
  return {
    base,
    async run(...argv) {
      let [out, err] = ['', ''];
      const code = await runProvider(argv, {
        base,
        env,
        print: (text) => {
          out += text;
        },
        complain: (text) => {
          err += text;
        },
      });
      return { code, out, err };
    },
    read: (name) => readFileSync(join(base, name), 'utf8'),
    write(name, text) {
      mkdirSync(dirname(join(base, name)), { recursive: true });
      writeFileSync(join(base, name), text);
    },
  };
}
