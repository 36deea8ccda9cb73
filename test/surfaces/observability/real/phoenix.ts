import type { TestContext } from 'node:test';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';
import { freePorts, programAt, type RunningProgram, startProgram } from './programs.ts';

/** A span as Phoenix gives it itself (`GET /v1/projects/{project}/spans`). */
export interface PhoenixSpan {
  readonly name: string;
  readonly span_kind: string;
  readonly parent_id: string | null;
  readonly context: { readonly trace_id: string; readonly span_id: string };
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Arize Phoenix, which shows traces of models, with its data in a folder. */
export async function startPhoenix(t: TestContext): Promise<RunningProgram> {
  const folder = temporaryDirectory(t);
  const [port, grpc, prometheus] = await freePorts(3);
  return startProgram(t, {
    binary: programAt(process.env['PHOENIX_SERVER']),
    args: ['serve'],
    env: {
      ...{ PHOENIX_WORKING_DIR: folder, PHOENIX_HOST: '127.0.0.1', PHOENIX_PORT: String(port) },
      ...{ PHOENIX_GRPC_PORT: String(grpc), PHOENIX_TELEMETRY_ENABLED: 'false' },
      PROMETHEUS_PORT: String(prometheus),
    },
    ...{ url: `http://127.0.0.1:${port}`, ready: '/healthz' },
  });
}

/** What Phoenix has of a project; nothing before it has anything. */
export async function spansIn(url: string, project: string): Promise<readonly PhoenixSpan[]> {
  const reply = await fetch(`${url}/v1/projects/${encodeURIComponent(project)}/spans?limit=100`);
  if (reply.status === 404) return [];
  const { data } = (await reply.json()) as { readonly data: readonly PhoenixSpan[] };
  return data;
}
