import { readdirSync, readFileSync } from 'node:fs';

/** One exchange with a vendor, and what the tool makes of it. */
export interface Fixture {
  readonly tool: string;
  readonly source: 'recorded' | 'documented';
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly result: unknown;
}

const providersFolder = new URL('../../specs/providers/', import.meta.url);

/** The description that a provider is generated from. */
export function specOf(provider: string): string {
  return new URL(`${provider}/openapi.yaml`, providersFolder).pathname;
}

/** All fixtures of a provider. */
export function fixturesOf(provider: string): Fixture[] {
  const folder = new URL(`${provider}/fixtures/`, providersFolder);
  return readdirSync(folder)
    .sort()
    .map((name) => ({
      ...JSON.parse(readFileSync(new URL(name, folder), 'utf8')),
      tool: name.replace(/\.json$/, ''),
    }));
}
