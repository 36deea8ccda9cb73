import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The program `mcp-inspector`. */
export const launcher = fileURLToPath(
  new URL(
    '../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
    import.meta.url,
  ),
);

/** Run `mcp-inspector --cli` against a server; gives what it prints. */
export function inspect(url: URL, ...args: string[]): Promise<string> {
  const all = [launcher, '--cli', url.href, '--transport', 'http', ...args];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, all, { timeout: 600_000, maxBuffer: 2 ** 24 }, (error, stdout) => {
      // A tool that fails is an error for the inspector too, but its result is printed all the same.
      if (stdout === '') reject(error ?? new Error('mcp-inspector printed nothing'));
      else resolve(stdout);
    });
  });
}
