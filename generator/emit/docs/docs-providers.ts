import type { ProviderAuth, ProviderScheme } from '#contract/provider';
import type { ProviderModel } from '../../model/shape/provider-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { joined, type Printed, printed } from '../print/printed.ts';
import type { TemplateData } from '../templates/render.ts';
import { code, maybeProse, page, prose } from './markdown.ts';
import { toolRow, vendorTool } from './tool-page.ts';

/** The page of one provider: its credential, the scopes that its tools ask for, and its tools. */
export function emitProviderPage(provider: ProviderModel): EmittedFile {
  const { settings, folder, presets, tools } = provider;
  return page(`providers/${settings.id}.md`, folder, 'provider', {
    title: prose(settings.title),
    id: code(settings.id),
    facts: facts(provider),
    credentials: [
      ...settings.auth.map((scheme) => credential(scheme)),
      ...ownCredentials(provider),
    ],
    name: prose(settings.id),
    ways: settings.auth.flatMap((scheme) => ways(scheme, settings.id)),
    enabling: code(`SERVICE_PROVIDER=${settings.id}`),
    isDefault: presets.includes('default'),
    presets: presets.length === 0 ? undefined : joined(presets.map(code), ', '),
    rows: tools.map(({ definition, purpose }) => toolRow(definition, purpose)),
    tools: tools.map((tool) => ({ ...vendorTool(tool), examples: [] })),
  });
}

function facts({ settings, termsUrl, licence }: ProviderModel): TemplateData[] {
  const all: readonly (readonly [Printed, Printed | undefined])[] = [
    [printed`Status`, maybeProse(settings.status)],
    [printed`Documentation`, settings.homepage === undefined ? undefined : code(settings.homepage)],
    [printed`Terms`, termsUrl === undefined ? undefined : code(termsUrl)],
    [printed`Licence of the description`, maybeProse(licence)],
    [
      printed`Address`,
      joined(
        settings.servers.map(({ url }) => code(url)),
        ', ',
      ),
    ],
    [
      printed`Asks for a contact`,
      settings.contactRequired ? printed`yes: set ${code('SERVICE_CONTACT')}` : undefined,
    ],
  ];
  return all.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

/** Credentials that single tools take, each with these tools. */
function ownCredentials({ settings, tools }: ProviderModel): TemplateData[] {
  const usual = new Set(settings.auth.flatMap((scheme) => ('env' in scheme ? scheme.env : [])));
  return Object.entries(settings.schemes ?? {}).flatMap(([id, scheme]) => {
    if (scheme.env.every((name) => usual.has(name))) return [];
    const takers = tools.filter(({ behaviour }) => behaviour.auth?.includes(id));
    const names = joined(
      takers.map(({ definition }) => code(definition.name)),
      ', ',
    );
    return [credential(scheme, printed`For ${names}`)];
  });
}

function credential(scheme: ProviderAuth, need?: Printed): TemplateData {
  if (scheme.type === 'none') return { env: undefined };
  return {
    need: need ?? (scheme.required ? printed`Required` : printed`Optional`),
    env: joined(scheme.env.map(code), ' or '),
    files: joined(
      scheme.env.map((name) => code(`${name}_FILE`)),
      ' or ',
    ),
    wire: wire(scheme),
  };
}

/** How people connect accounts of their own. */
function ways(scheme: ProviderAuth, id: string): Printed[] {
  const { oauth2, key } = (scheme.type !== 'none' && scheme.connect) || {};
  const consent =
    oauth2 &&
    printed`By their consent at the vendor, once ${code(oauth2.clientId)} and ${code(oauth2.clientSecret)} hold what the vendor has given you for this server there. Register ${code(`/connect/${id}/callback`)} under your SERVICE_BASE_URL as its redirect URL.${scopeNote(oauth2.scopes)}`;
  const pasted =
    key && printed`With a key that they paste: a ${prose(key.label)}, made at ${code(key.url)}.`;
  return [consent, pasted].filter((each) => each !== undefined);
}

function scopeNote(scopes: readonly string[]): Printed {
  if (scopes.length === 0) return printed``;
  return printed` It asks for ${joined(scopes.map(code), ', ')}.`;
}

function wire(scheme: ProviderScheme): Printed {
  switch (scheme.type) {
    case 'bearer':
      return code('Authorization: Bearer');
    case 'basic':
      return code('Authorization: Basic');
    case 'api_key':
      return scheme.in === 'query'
        ? printed`query parameter ${code(scheme.name)}`
        : printed`header ${code(scheme.name)}`;
  }
}
