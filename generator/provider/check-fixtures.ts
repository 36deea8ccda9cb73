import { join } from 'node:path';
import { isObject } from '#contract/json';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { DiagnosticCode } from '../diagnostics/diagnostic-codes.ts';
import { fileNames } from '../kinds/provider-files/provider-folder.ts';
import { valueFault } from '../model/schema/schema-check.ts';
import type { ProviderModel, ToolModel } from '../model/shape/provider-model.ts';
import { secretsIn } from '../model/texts/secret-text.ts';
import { readDescriptionFile } from '../read/text/description-file.ts';
import { escapeStep } from '../read/text/json-pointer.ts';
import type { ParsedFile } from '../read/text/parsed-file.ts';
import { madeUp } from './examples/draft-fixture.ts';
import { holdsCredential } from './source/public-address.ts';

/** Hold each recorded or documented exchange of a provider to the tool that it belongs to. */
export function checkFixtures(base: string, model: ProviderModel): Diagnostic[] {
  const folder = join(base, model.folder, 'fixtures');
  const tools = new Map(model.tools.map((tool) => [`${tool.definition.name}.json`, tool]));
  return fileNames(folder).flatMap((name) => {
    const file = readDescriptionFile(join(folder, name), base);
    if (file.value === undefined) return file.diagnostics;
    const problems = [...faultsOf(file.value, tools.get(name), model), ...secretsOf(file.value)];
    return problems.map(({ code, pointer, message }) => at(file, code, pointer, message));
  });
}

/** Find texts in the description of a provider that look like credentials (P016). */
export function checkDescriptionSecrets(base: string, { folder }: ProviderModel): Diagnostic[] {
  const name = fileNames(join(base, folder)).find((file) => /^openapi\.(ya?ml|json)$/.test(file));
  if (name === undefined) return [];
  const file = readDescriptionFile(join(base, folder, name), base);
  return secretsOf(file.value).map(({ code, pointer, message }) =>
    at(file, code, pointer, message),
  );
}

/** Find addresses with a user, a password or a token in what stands beside the description (P016). */
export function checkAddresses(base: string, { folder }: ProviderModel): Diagnostic[] {
  const names = fileNames(join(base, folder)).filter((file) => /\.(?:ya?ml|json)$/.test(file));
  return names.flatMap((name) => {
    const file = readDescriptionFile(join(base, folder, name), base);
    return addressesIn(file.value).map((pointer) =>
      at(file, 'P016', pointer, 'this address holds a user, a password or a token'),
    );
  });
}

function addressesIn(value: unknown, pointer = ''): string[] {
  if (typeof value === 'string') return holdsCredential(value) ? [pointer] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    addressesIn(member, `${pointer}/${escapeStep(key)}`),
  );
}

interface Fault {
  readonly code: DiagnosticCode;
  readonly pointer: string;
  readonly message: string;
}

function faultsOf(value: unknown, tool: ToolModel | undefined, model: ProviderModel): Fault[] {
  if (tool === undefined) return [fault('', 'no tool of this provider has the name of this file')];
  if (!isObject(value)) return [fault('', 'a fixture is an object')];
  const { source, arguments: given, request, response } = value;
  const refused = valueFault(tool.definition.input, given);
  const wrong: Fault[] = [];
  if (source !== 'recorded' && source !== 'documented') {
    wrong.push(fault('/source', 'source is "recorded" or "documented"'));
  }
  if (refused) {
    wrong.push(fault(`/arguments${refused.at}`, `${tool.definition.name} ${refused.message}`));
  }
  if (!isObject(response) || !isStatus(response['status'])) {
    wrong.push(fault('/response/status', 'an HTTP status from 100 to 599 is expected'));
  }
  const { method, path } = tool.origin;
  if (!isObject(request)) return [...wrong, fault('/request', 'a method and a url are expected')];
  // GraphQL sends every operation to the same place.
  if (!path.startsWith('/')) return wrong;
  if (request['method'] !== method) wrong.push(fault('/request/method', `${method} is expected`));
  const url = String(request['url']);
  // Whoever writes another server into the curation need not write it into what was made up.
  if (!(value['note'] === madeUp ? endsWithPath(url, path) : isAddressOf(url, path, model))) {
    wrong.push(fault('/request/url', `an address of ${path} is expected`));
  }
  return wrong;
}

function isStatus(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599;
}

/** Whether a URL is one of the provider's servers and then a path of this template. */
function isAddressOf(url: string, template: string, { settings }: ProviderModel): boolean {
  const [address = ''] = url.split(/[?#]/);
  // A server variable may be empty, a path parameter may not.
  return settings.servers.some((server) =>
    new RegExp(`^${pattern(server.url, '[^/]*')}${pattern(template, '[^/]+')}$`).test(address),
  );
}

/** Whether a URL is some server and then a path of this template. */
function endsWithPath(url: string, template: string): boolean {
  const [address = ''] = url.split(/[?#]/);
  return new RegExp(`^https?://[^/]+(?:/.*)?${pattern(template, '[^/]+')}$`).test(address);
}

function pattern(template: string, placeholder: string): string {
  const [address = ''] = template.split('?');
  const parts = address.split(/\{[^{}]*\}/);
  return parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join(placeholder);
}

function secretsOf(value: unknown): Fault[] {
  return secretsIn(value).map((pointer) => ({
    code: 'P016',
    pointer,
    message: 'this text looks like a real credential',
  }));
}

function fault(pointer: string, message: string): Fault {
  return { code: 'P026', pointer, message };
}

function at(file: ParsedFile, code: DiagnosticCode, pointer: string, message: string): Diagnostic {
  return diagnose(code, { ...file.locate(pointer), pointer }, message);
}
