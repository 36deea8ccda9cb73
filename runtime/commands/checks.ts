import { ConfigError, type Environment } from '#contract/config/config';
import { bindable } from '#contract/config/loopback';
import type { Finding } from '#contract/surface/finding';
import { askAnchors, type Outside } from '../audit/anchors/outside.ts';
import { createService, type Service } from '../main.ts';
import { requireWritable } from '../process/folders.ts';
import { whyTaken } from '../process/free-port.ts';
import { counted } from './counted.ts';
import { checkVendors } from './vendor-checks.ts';

/** Check everything that can be checked without changing anything, in the order of the report. */
export async function* runChecks(env: Environment): AsyncGenerator<Finding> {
  let service: Service;
  try {
    service = await createService(env);
  } catch (error) {
    yield* wrongSettings(error);
    return;
  }
  yield* checkConfiguration(service);
  yield* checkDataFolder(service);
  yield await checkPort(bindable(service.config.host), service.config.port);
  yield* checkContact(service);
  const { options } = service.engines.audit;
  yield* checkAnchors(await askAnchors(options.anchors, options.origin));
  yield* checkVendors(service.vendors);
  await service.life.stop();
}

/** @throws the error where it tells of no setting */
function wrongSettings(error: unknown): readonly Finding[] {
  if (!(error instanceof ConfigError)) throw error;
  return error.problems.map(({ variable, expected, received }) => ({
    kind: 'problem',
    text: received === undefined ? `${variable} is wrong` : `${variable} is ${received}`,
    fix: `set it to ${expected}`,
  }));
}

/** A server would not start with one that is there and takes no writes. */
function checkDataFolder({ config }: Service): readonly Finding[] {
  try {
    requireWritable(config.dataDir);
    return [];
  } catch (error) {
    return wrongSettings(error);
  }
}

async function* checkConfiguration({ warnings, offer, vendors }: Service): AsyncGenerator<Finding> {
  const { length } = await offer.catalogue.loadAll();
  const amount = `${counted(length, 'tool')}, ${counted(vendors.providers.length, 'provider')}`;
  yield { kind: 'ok', text: `configuration: ${amount}` };
  for (const text of warnings) yield { kind: 'advice', text };
}

async function checkPort(host: string, port: number): Promise<Finding> {
  const error = await whyTaken(host, port);
  const text = `port ${port} on ${host}`;
  if (error === undefined) return { kind: 'ok', text: `${text} is free` };
  return {
    kind: 'advice',
    text: `${text} cannot be taken now (${error.code ?? error.message})`,
    fix: 'set PORT to another one, unless it is this server that runs there',
  };
}

function* checkContact({ config, vendors }: Service): Generator<Finding> {
  if (config.contact !== undefined) return;
  const asking = vendors.providers.filter((provider) => provider.contactRequired);
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
