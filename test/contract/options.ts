import { parseArgs } from 'node:util';

/** What the command line of the harness may say. */
export const usage = `Usage: npm run contract -- [FILE or VENDOR ...] [--tools N] [--requests] [--json FILE] [--against fastmcp]

  FILE, VENDOR       descriptions, or names out of the INDEX.md of the folder in OPENAPI_VENDORS; without any, all of it
  --tools N          call at most N tools of each
  --requests         judge the requests alone, not the answers
  --json FILE        write all that was found to this file
  --against fastmcp  call the same with FastMCP, of the Python in MCP_CLIENTS_PYTHON
  --help             show this
`;

/** What one run of the harness is asked for. */
export interface Options {
  /** Files of descriptions, or names of vendors. */
  readonly words: readonly string[];
  /** How many tools of each description are called at most. */
  readonly most: number | undefined;
  readonly withAnswers: boolean;
  /** Where all that was found is written. */
  readonly json: string | undefined;
  /** The Python that has FastMCP, to be called beside. */
  readonly peerPython: string | undefined;
  readonly help: boolean;
}

/**
 * The options that a command line gives.
 *
 * @throws Error that says what was expected and what came
 */
export function readOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Options {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      json: { type: 'string' },
      tools: { type: 'string' },
      against: { type: 'string' },
      requests: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  return {
    words: positionals,
    most: values.tools === undefined ? undefined : countIn(values.tools),
    withAnswers: values.requests !== true,
    json: values.json,
    peerPython: values.against === undefined ? undefined : pythonOf(values.against, env),
    help: values.help === true,
  };
}

function countIn(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) {
    throw new Error(`expected a count of tools from 1 behind --tools, got ${JSON.stringify(text)}`);
  }
  return Number(text);
}

function pythonOf(peer: string, env: Readonly<Record<string, string | undefined>>): string {
  const python = env['MCP_CLIENTS_PYTHON'];
  if (peer !== 'fastmcp')
    throw new Error(`expected --against fastmcp, got ${JSON.stringify(peer)}`);
  if (!python) throw new Error('expected a Python that has FastMCP in MCP_CLIENTS_PYTHON');
  return python;
}
