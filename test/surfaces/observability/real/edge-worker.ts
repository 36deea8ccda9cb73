import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePorts, programAt, type RunningProgram, startProgram } from './programs.ts';

const edge = join(import.meta.dirname, '../../../../runtime/edge');

/** A worker, as workerd is told of it. */
export interface WorkerSource {
  /** Texts of its modules by their names; the first one is the worker itself. */
  readonly modules: Readonly<Record<string, string>>;
  /** Its bindings, of text. */
  readonly bindings?: Readonly<Record<string, string>>;
}

/** The worker of the product, without its types. */
export function edgeWorker(bindings: Readonly<Record<string, string>>): WorkerSource {
  const others = readdirSync(edge).filter((name) => name !== 'worker.ts');
  const modules = ['worker.ts', ...others].map((name) => {
    const text = readFileSync(join(edge, name), 'utf8');
    return [name, stripTypeScriptTypes(text)] as const;
  });
  return { modules: Object.fromEntries(modules), bindings };
}

/**
 * Run a worker in workerd, which is at `WORKERD`; what it asks of `COLLECTOR` goes to the address
 * `collector`, a host with its port.
 */
export async function startWorker(
  t: Pick<TestContext, 'after'>,
  folder: string,
  { modules, bindings = {} }: WorkerSource,
  collector: string,
): Promise<RunningProgram> {
  const [port] = await freePorts(1);
  const names = Object.keys(modules);
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, name), text);
  const quoted = JSON.stringify;
  const texts = Object.entries(bindings).map(
    ([name, value]) => `(name = ${quoted(name)}, text = ${quoted(value)})`,
  );
  const config = join(folder, 'workerd.capnp');
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    (name = "collector", external = (address = ${quoted(collector)}, http = ())),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "worker")],
);
const worker :Workerd.Worker = (
  modules = [${names.map((name) => `(name = ${quoted(name)}, esModule = embed ${quoted(name)})`).join(', ')}],
  compatibilityDate = "2026-11-01",
  bindings = [${[...texts, '(name = "COLLECTOR", service = "collector")'].join(', ')}],
);
`,
  );
  return startProgram(t, {
    binary: programAt(process.env['WORKERD']),
    args: ['serve', config],
    ...{ url: `http://127.0.0.1:${port}`, ready: '/ready' },
  });
}
