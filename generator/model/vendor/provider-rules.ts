import { isSecretVariable } from '#contract/secret-values';
import { suggestion } from '../../diagnostics/suggestion.ts';
import { escapeStep } from '../../read/text/json-pointer.ts';
import type { Curation } from '../shape/curation.ts';
import type { ProviderSources } from '../shape/provider-sources.ts';
import { instructionIn } from '../texts/instruction-text.ts';
import type { Report } from '../texts/report.ts';
import { looksSecret, namesSecret, secretsIn } from '../texts/secret-text.ts';
import { checkConnect } from './connect-ways.ts';
import { checkOwnAuth } from './own-auth.ts';

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

function checkServers({ servers, self_hosted }: Curation, report: Report): void {
  for (const [index, { url, variables = {} }] of servers.entries()) {
    const at = `/servers/${index}`;
    if (url.startsWith('http:') && !self_hosted) {
      report.curation('P013', `${at}/url`, `server ${url} has no TLS`, {
        help: 'use https, or set self_hosted: true when operators run it themselves',
      });
    }
    for (const [, name = ''] of url.matchAll(/\{([^{}]*)\}/g)) {
      if (!Object.hasOwn(variables, name)) {
        const message = `server variable "${name}" is not listed under variables`;
        report.curation('P023', `${at}/url`, message, {
          help: suggestion(name, Object.keys(variables)),
        });
      }
    }
    for (const [name, variable] of Object.entries(variables)) {
      if (variable.enum === undefined && variable.pattern === undefined && !self_hosted) {
        const message = `server variable "${name}" may be anything: it needs an enum or a pattern`;
        report.curation('P023', `${at}/variables/${escapeStep(name)}`, message);
      }
    }
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
  { provider }: Curation,
  { at, name, text }: { readonly at: string; readonly name: string; readonly text: string },
  report: Report,
): void {
  const own = `SERVICE_${provider.toUpperCase()}_`;
  for (const [, variable = ''] of text.matchAll(/\{env:([^}]*)\}/g)) {
    if (variable.startsWith(own) || variable === 'SERVICE_CONTACT') continue;
    report.curation('P005', at, `"${name}" holds the variable ${variable}`, {
      help: `name one of the provider itself, ${own}...`,
    });
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
