import { isSecretVariable } from '#contract/secret-values';
import { isOfConnection, isOfMessage } from '#contract/text/field-value';
import { suggestion } from '../../diagnostics/suggestion.ts';
import { escapeStep } from '../../read/text/json-pointer.ts';
import type { Curation } from '../shape/curation.ts';
import type { ProviderSources } from '../shape/provider-sources.ts';
import { instructionIn } from '../texts/instruction-text.ts';
import type { Report } from '../texts/report.ts';
import { looksSecret, namesSecret, secretsIn } from '../texts/secret-text.ts';
import { checkConnect } from './connect-ways.ts';
import { checkOwnAuth } from './own-auth.ts';
import { checkServers } from './server-rules.ts';

const manyTools = 60;

/** Files that every provider has: no resource may be called the same. */
const ownFiles = ['index', 'search-documents', 'skill'];

/** Licences whose texts may stand in this repository (SPDX identifiers). */
const allowedLicences = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'CC-BY-SA-3.0',
  'CC-BY-SA-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'ODbL-1.0',
  'Unlicense',
  'public-domain',
]);

/** Check what a curation says of the provider as a whole (vendor-specs 5). */
export function checkProvider(sources: ProviderSources, report: Report): void {
  const { curation } = sources;
  checkIdentity(sources, report);
  checkServers(curation, report);
  checkSecrets(curation, report);
  checkHeaders(curation, report);
  checkToolNames(curation, report);
  checkFixtures(sources, report);
  checkSkill(curation, report);
  checkConnect(curation, report);
  checkOwnAuth(curation, report);
}

/** What a skill says goes to the model as it is. */
function checkSkill({ skill = {} }: Curation, report: Report): void {
  const { description, notes = [] } = skill;
  const texts = [
    ['description', description] as const,
    ...notes.map((note, index) => [`notes/${index}`, note] as const),
  ];
  for (const [key, text] of texts) {
    const order = instructionIn(text);
    if (order === undefined) continue;
    report.curation('P027', `/skill/${key}`, `the skill says "${order}"`);
  }
}

function checkIdentity({ folder, curation }: ProviderSources, report: Report): void {
  const name = folder.split('/').at(-1);
  if (curation.provider !== name) {
    const message = `provider "${curation.provider}" stands in the folder "${name}"`;
    report.curation('P024', '/provider', message);
  }
  const { licence } = curation;
  if (licence !== undefined && !allowedLicences.has(licence)) {
    report.curation('P015', '/licence', `licence "${licence}" is not on the list`, {
      help: `it can be: ${[...allowedLicences].join(', ')}`,
    });
  }
}

function checkSecrets(curation: Curation, report: Report): void {
  const inEnvironment = 'name an environment variable in auth instead';
  const constants = [
    ...(['headers', 'query'] as const).map((key) => ({
      ...{ at: `/${key}`, texts: curation[key] },
      // What has to come with a credential is one itself, and may come out of a variable of its own.
      mayAccompany: curation.auth.some(({ type }) => type !== 'none'),
    })),
    ...curation.auth.flatMap((entry, index) =>
      (['headers', 'query'] as const).map((key) => ({
        ...{ at: `/auth/${index}/${key}`, texts: entry[key], mayAccompany: entry.type !== 'none' },
      })),
    ),
    ...curation.operations.map(({ headers }, index) => ({
      ...{ at: `/operations/${index}/headers`, texts: headers, mayAccompany: false },
    })),
  ];
  for (const { at, texts, mayAccompany } of constants) {
    for (const [name, text] of Object.entries(texts ?? {})) {
      const isPlain = !looksSecret(text) && !namesSecret(name) && !namesSecretVariable(text);
      if (isPlain || (mayAccompany && isCompanion(text))) {
        checkVariables(curation, { at: `${at}/${escapeStep(name)}`, name, text }, report);
        continue;
      }
      const message = `"${name}" is or holds a credential`;
      report.curation('P005', `${at}/${escapeStep(name)}`, message, { help: inEnvironment });
    }
  }
  for (const [index, { env = [] }] of curation.auth.entries()) {
    for (const [position, variable] of env.entries()) {
      if (!isOfOthers(curation, variable)) continue;
      const message = `a credential is taken from ${variable}`;
      const help = ownVariables(curation);
      report.curation('P005', `/auth/${index}/env/${position}`, message, { help });
    }
  }
  for (const [index, { params, examples }] of curation.operations.entries()) {
    const at = `/operations/${index}`;
    for (const key of ['fixed', 'defaults'] as const) {
      for (const pointer of secretsIn(params?.[key])) {
        const message = 'this value looks like a credential';
        report.curation('P005', `${at}/params/${key}${pointer}`, message, { help: inEnvironment });
      }
    }
    const shown = [
      ...secretsIn(params?.examples, '/params/examples'),
      ...secretsIn(examples, '/examples'),
    ];
    for (const pointer of shown) {
      report.curation('P016', at + pointer, 'this example looks like a real credential', {
        help: 'write a placeholder such as YOUR_TOKEN',
      });
    }
  }
}

/** What the server's own environment holds beside the settings of this provider is none of its vendor's. */
function checkVariables(
  curation: Curation,
  { at, name, text }: { readonly at: string; readonly name: string; readonly text: string },
  report: Report,
): void {
  for (const [, variable = ''] of text.matchAll(/\{env:([^}]*)\}/g)) {
    const isOwn = variable.startsWith(ownPrefix(curation)) || variable === 'SERVICE_CONTACT';
    if (isOwn) continue;
    report.curation('P005', at, `"${name}" holds the variable ${variable}`, {
      help: ownVariables(curation),
    });
  }
}

/** A setting of the server, or of another provider: vendors have names of their own for credentials beside these. */
function isOfOthers(curation: Curation, variable: string): boolean {
  return variable.startsWith('SERVICE_') && !variable.startsWith(ownPrefix(curation));
}

function ownVariables(curation: Curation): string {
  return `name one of the provider itself, ${ownPrefix(curation)}...`;
}

function ownPrefix({ provider }: Curation): string {
  return `SERVICE_${provider.toUpperCase()}_`;
}

/** Headers in which no constant stands, and fewer still in which a credential travels. */
function checkHeaders({ auth, headers, operations }: Curation, report: Report): void {
  const constants = [
    ['/headers', headers] as const,
    ...auth.map((entry, index) => [`/auth/${index}/headers`, entry.headers] as const),
    ...operations.map((entry, index) => [`/operations/${index}/headers`, entry.headers] as const),
  ];
  for (const [at, texts = {}] of constants) {
    for (const name of Object.keys(texts)) {
      if (isOfConnection(name)) alone(`${at}/${escapeStep(name)}`, name);
    }
  }
  for (const [index, { type, in: place = 'header', name = '' }] of auth.entries()) {
    const isHeader = type === 'api_key' && place === 'header';
    if (isHeader && isOfMessage(name)) alone(`/auth/${index}/name`, name);
  }
  function alone(pointer: string, name: string): void {
    report.curation('P018', pointer, `header "${name}" is set by the server alone`);
  }
}

/** A variable that is kept out of answers as credentials are, alone or behind the word of a scheme. */
function isCompanion(text: string): boolean {
  const [, name] = /^(?:[A-Za-z][\w-]{0,30} )?\{env:([A-Z0-9_]+)\}$/.exec(text) ?? [];
  return name !== undefined && isSecretVariable(name);
}

function namesSecretVariable(text: string): boolean {
  return [...text.matchAll(/\{env:([^}]*)\}/g)].some(([, name = '']) => namesSecret(name));
}

function checkToolNames({ operations, verify }: Curation, report: Report): void {
  const seen = new Set<string>();
  for (const [index, { name, resource }] of operations.entries()) {
    if (ownFiles.includes(resource)) {
      const message = `resource "${resource}" is the name of a file that every provider has`;
      report.curation('P018', `/operations/${index}/resource`, message);
    }
    if (seen.has(name)) {
      report.curation('P002', `/operations/${index}/name`, `tool name "${name}" is used twice`);
    }
    seen.add(name);
  }
  if (verify?.operation !== undefined && !seen.has(verify.operation)) {
    const message = `verify names "${verify.operation}", which is no tool of this provider`;
    report.curation('P001', '/verify/operation', message, {
      help: suggestion(verify.operation, [...seen]),
    });
  }
  if (operations.length > manyTools) {
    const message = `${operations.length} tools are more than the ${manyTools} that agents can tell apart`;
    report.curation('P012', '/operations', message);
  }
}

/** Beta providers may lack fixtures; a stable one, or one whose tests replay them, may not. */
function checkFixtures({ curation, fixtures }: ProviderSources, report: Report): void {
  if (curation.status !== 'stable' && curation.tests?.mock !== 'fixtures') return;
  for (const [index, { name }] of curation.operations.entries()) {
    if (fixtures.includes(`${name}.json`)) continue;
    report.curation('P014', `/operations/${index}/name`, `fixtures/${name}.json is missing`);
  }
}
