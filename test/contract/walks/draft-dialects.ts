import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Provider } from '#contract/provider';
import type { VendorTool } from '#contract/tool';
import { readProviderFolder } from '../../../generator/kinds/provider-files/provider-folder.ts';
import { planProviderFolder } from '../../../generator/kinds/providers.ts';
import { generate } from '../../../generator/pipeline/pipeline.ts';
import { addProvider } from '../../../generator/provider/add-provider.ts';
import { checkPages } from '../../../generator/provider/check-pages.ts';
import type { Dialect } from './dialect.ts';

const project = join(import.meta.dirname, '../../..');

/** The tool that a draft has made of a dialect. */
export interface Drafted {
  readonly provider: Provider;
  readonly tool: VendorTool;
  /** Why its second page is not reached, as `check` says it. */
  readonly obstacles: readonly string[];
}

/** Draft a vendor of one list for each dialect, as `provider add` does, and generate them all. */
export async function draftDialects(
  dialects: readonly Dialect[],
): Promise<{ drafted: ReadonlyMap<Dialect, Drafted>; close(): void }> {
  const base = mkdtempSync(join(tmpdir(), 'walks-'));
  cpSync(join(project, 'specs/schemas'), join(base, 'specs/schemas'), { recursive: true });
  symlinkSync(join(project, 'runtime'), join(base, 'runtime'));
  cpSync(join(project, 'package.json'), join(base, 'package.json'));
  const ids = new Map(dialects.map((dialect, at) => [dialect, `walk_${at}`]));
  for (const [dialect, id] of ids) await draft(dialect, id, base);
  const { diagnostics } = await generate({ base });
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (error) throw new Error(`${error.file}:${error.line} ${error.message}`);
  const drafted = new Map<Dialect, Drafted>();
  for (const [dialect, id] of ids) drafted.set(dialect, await loaded(id, base));
  return { drafted, close: () => rmSync(base, { recursive: true, force: true }) };
}

async function draft(dialect: Dialect, id: string, base: string): Promise<void> {
  const file = join(base, `${id}.json`);
  writeFileSync(file, JSON.stringify(describe(dialect)));
  const added = await addProvider({ id, base, description: file, day: '2026-01-31' });
  if (!('written' in added))
    throw new Error(`${dialect.name}: ${added.problem ?? added.diagnostics[0]?.message}`);
}

async function loaded(id: string, base: string): Promise<Drafted> {
  const module = await import(pathToFileURL(join(base, `generated/providers/${id}/index.ts`)).href);
  const provider: Provider = Object.values(module)[0] as Provider;
  const [load] = Object.values(provider.tools);
  if (!load) throw new Error(`${id} has no tool`);
  const { sources } = await readProviderFolder(`specs/providers/${id}`, base);
  const { model } = await planProviderFolder(base, id);
  const obstacles =
    sources && model ? checkPages(sources, model).map(({ message }) => message) : [];
  return { provider, tool: await load(), obstacles };
}

/** A description of one list. */
export function describe(dialect: Dialect): object {
  const {
    method = 'get',
    parameters = [],
    members,
    required = [],
    schema,
    mediaType = 'application/json',
    status = '200',
    headers = {},
    description,
  } = dialect;
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1', license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: 'https://api.things.example/v1' }],
    paths: {
      '/things': {
        [method]: {
          operationId: method === 'get' ? 'listThings' : 'searchThings',
          summary: method === 'get' ? 'List things' : 'Search things',
          ...(description && { description }),
          parameters,
          ...(members && {
            requestBody: {
              content: {
                'application/json': { schema: { type: 'object', properties: members, required } },
              },
            },
          }),
          responses: {
            [status]: { description: 'Things', headers, content: { [mediaType]: { schema } } },
          },
        },
      },
    },
  };
}
