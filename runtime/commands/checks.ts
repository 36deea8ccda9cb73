import { createServer } from 'node:net';
import { ConfigError, type Environment } from '#contract/config/config';
import { requireLoopback } from '#contract/config/loopback';
import type { Provider } from '#contract/provider';
import { askAnchors, type Outside } from '../audit/anchors/outside.ts';
import { createService, type Service } from '../main.ts';
import { counted } from './counted.ts';

/** What one check found, and what to do where it is not as it should be. */
export interface Finding {
  readonly kind: 'ok' | 'advice' | 'problem';
  readonly text: string;
  readonly fix?: string;
}

/** Check everything that can be checked without changing anything, in the order of the report. */
export async function* runChecks(env: Environment): AsyncGenerator<Finding> {
  let service: Service;
  let host: string;
  try {
    service = await createService(env);
    host = requireLoopback(service.config.host);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    yield* error.problems.map(({ variable, expected, received }) => ({
      kind: 'problem' as const,
      text: received === undefined ? `${variable} is wrong` : `${variable} is ${received}`,
      fix: `set it to ${expected}`,
    }));
    return;
  }
  yield* checkConfiguration(service);
  yield await checkPort(host, service.config.port);
  yield* checkContact(service);
  yield* checkAnchors(await askAnchors(service.auditOptions.anchors, service.auditOptions.origin));
  // All at once, because each may wait for its vendor; reported in the order of the catalogue.
  for (const check of service.providers.map((provider) => checkVendor(service, provider))) {
    yield await check;
  }
  await service.outbound.close(0);
}

async function* checkConfiguration({
  warnings,
  catalogue,
  providers,
}: Service): AsyncGenerator<Finding> {
  const { length } = await catalogue.loadAll();
  const amount = `${counted(length, 'tool')}, ${counted(providers.length, 'provider')}`;
  yield { kind: 'ok', text: `configuration: ${amount}` };
  for (const text of warnings) yield { kind: 'advice', text };
}

async function checkPort(host: string, port: number): Promise<Finding> {
  const code = await new Promise<string | undefined>((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
  const text = `port ${port} on ${host}`;
  if (code === undefined) return { kind: 'ok', text: `${text} is free` };
  return {
    kind: 'advice',
    text: `${text} cannot be taken now (${code})`,
    fix: 'set PORT to another one, unless it is this server that runs there',
  };
}

function* checkContact({ config, providers }: Service): Generator<Finding> {
  if (config.contact !== undefined) return;
  const asking = providers.filter((provider) => provider.contactRequired);
  if (asking.length === 0) return;
  const titles = asking.map(({ title }) => title).join(', ');
  yield {
    kind: 'advice',
    text: `${titles}: the vendor wants to know whom to write to; until then calls go at half the pace`,
    fix: 'set SERVICE_CONTACT to an e-mail address or a URL of yours',
  };
}

/** Whether the places that keep checkpoints of the audit log, or a copy of it, can be asked. */
function* checkAnchors(answers: readonly Outside[]): Generator<Finding> {
  for (const { target, failure } of answers) {
    if (failure === undefined) yield { kind: 'ok', text: `audit log: ${target} answers` };
    else {
      yield {
        kind: 'problem',
        text: `audit log: ${target} does not answer: ${failure.message}`,
        fix: 'check the SERVICE_AUDIT_ variables and the network of this machine',
      };
    }
  }
}

async function checkVendor({ outbound }: Service, provider: Provider): Promise<Finding> {
  const { id, title, homepage } = provider;
  const variables = variablesOf(provider);
  const set = variables.join(' or ');
  if (outbound.credential(provider) === 'missing') {
    const fix = homepage === undefined ? `set ${set}` : `set ${set} (${homepage})`;
    return { kind: 'problem', text: `${title}: it needs a credential`, fix };
  }
  const { ok, status, message } = await outbound.verify(provider);
  const text = message.startsWith(title) ? message : `${title}: ${message}`;
  if (ok) return { kind: 'ok', text };
  if (variables.length > 0 && (status === 401 || status === 403)) {
    return { kind: 'problem', text, fix: `check the value of ${set}` };
  }
  const address = `SERVICE_PROVIDER_${id.toUpperCase()}_URL`;
  const fix =
    status === undefined
      ? `check the network of this machine, and ${address} if it is set`
      : 'try again later; if it stays so, the vendor has changed';
  return { kind: 'problem', text, fix };
}

function variablesOf({ auth }: Provider): readonly string[] {
  return [...new Set(auth.flatMap((scheme) => (scheme.type === 'none' ? [] : scheme.env)))];
}
