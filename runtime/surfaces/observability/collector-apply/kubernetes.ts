import { join } from 'node:path';
import type { BackEnds } from '#contract/house/outbound';
import { OutboundError } from '#contract/house/outbound';
import { readCredential } from '../endpoints/credential-file.ts';
import { longestSecret } from '../endpoints/secrets.ts';
import { ReloadError, type Reloader } from './reload.ts';

export interface KubernetesParts {
  readonly deployment: string;
  readonly namespace: string;
  /** URL of the API server. */
  readonly server: string;
  /** Folder with `token` and `ca.crt` of the service account. */
  readonly credentials: string;
  readonly backEnds: Pick<BackEnds, 'fetch'>;
  readonly now: () => number;
}

/** When its pods were told to start anew: what `kubectl rollout restart` writes. */
const annotation = 'kubectl.kubernetes.io/restartedAt';
const mostBytes = 1_048_576;
/** How long the API server may take to take the patch. */
const mostMs = 4000;

/** Have Kubernetes start the pods of the collector anew, one after the other. */
export function createKubernetes(parts: KubernetesParts): Reloader {
  const { namespace, deployment, server, credentials, backEnds, now } = parts;
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${deployment}`;
  return {
    mode: 'kubernetes',
    async reload(signal) {
      const at = new Date(now()).toISOString();
      const template = { metadata: { annotations: { [annotation]: at } } };
      const answer = await ask({ spec: { template } }, signal);
      const said = annotationIn(answer);
      if (said !== at) throw new ReloadError('Kubernetes has not kept the mark of the restart');
      return { mode: 'kubernetes', status: 'restarting', verifiedAt: now() };
    },
  };

  async function ask(patch: object, signal: AbortSignal): Promise<unknown> {
    const token = await tokenIn(credentials);
    try {
      const { status, body } = await backEnds.fetch(`${server}${path}`, {
        method: 'PATCH',
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          'content-type': 'application/strategic-merge-patch+json',
        },
        body: JSON.stringify(patch),
        tls: server.startsWith('https:') ? { caFile: join(credentials, 'ca.crt') } : undefined,
        ...{ maxBytes: mostBytes, timeoutMs: mostMs, signal },
      });
      const value = parsed(body);
      if (status === 200) return value;
      throw new ReloadError(`Kubernetes answers ${status} for ${path}${reasonIn(value)}`);
    } catch (error) {
      if (error instanceof OutboundError) {
        throw new ReloadError(`Kubernetes cannot be asked: ${error.message}`, error);
      }
      throw error;
    }
  }
}

/** It changes while the server runs. */
async function tokenIn(folder: string): Promise<string> {
  try {
    return (await readCredential(join(folder, 'token'), longestSecret)).trim();
  } catch (cause) {
    throw new ReloadError('the token of the service account cannot be read', cause);
  }
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A word of the API (`Forbidden`, `NotFound`); its sentences may repeat what came. */
function reasonIn(value: unknown): string {
  const { reason } = (value ?? {}) as { readonly reason?: unknown };
  return typeof reason === 'string' && /^[A-Za-z]{1,64}$/.test(reason) ? ` (${reason})` : '';
}

function annotationIn(value: unknown): unknown {
  const { spec } = (value ?? {}) as {
    readonly spec?: {
      readonly template?: {
        readonly metadata?: { readonly annotations?: Record<string, unknown> };
      };
    };
  };
  return spec?.template?.metadata?.annotations?.[annotation];
}
