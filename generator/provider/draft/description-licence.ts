import { isObject } from '#contract/json';
import type { ApiDocument } from '../../read/document/api-document.ts';

/** Licences under which a description's texts may be stored here, as vendors write their names. */
const known: readonly (readonly [spdx: string, name: RegExp])[] = [
  ['Apache-2.0', /^apache[\s-]*(licen[sc]e)?[\s,-]*(version|v)?[\s.-]*2(\.0)?$/i],
  ['MIT', /^(the\s+)?mit(\s+licen[sc]e)?$/i],
  ['BSD-2-Clause', /^bsd[\s-]*2[\s-]*clause/i],
  ['BSD-3-Clause', /^bsd[\s-]*3[\s-]*clause/i],
  ['ISC', /^isc(\s+licen[sc]e)?$/i],
  ['CC0-1.0', /^cc0[\s-]*(1\.0)?/i],
  ['CC-BY-4.0', /^cc[\s-]by[\s-]4\.0$/i],
  ['Unlicense', /^(the\s+)?unlicense$/i],
];

/** Their pages: vendors write "BSD", or a whole title, beside one of these. */
const pages: readonly (readonly [spdx: string, page: RegExp])[] = [
  ['Apache-2.0', /^apache\.org\/licenses\/license-2\.0(?:\.html|\.txt)?$/],
  ['CC0-1.0', /^creativecommons\.org\/publicdomain\/zero\/1\.0\b/],
  ['CC-BY-4.0', /^creativecommons\.org\/licenses\/by\/4\.0\b/],
  ...['Apache-2.0', 'MIT', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'Unlicense'].map(
    (spdx): readonly [string, RegExp] => [spdx, pageOf(spdx)],
  ),
];

function pageOf(spdx: string): RegExp {
  const name = spdx.toLowerCase().replaceAll('.', '\\.');
  return new RegExp(
    `^(?:opensource\\.org/licen[cs]es?/|spdx\\.org/licenses/|choosealicense\\.com/licenses/)${name}(?:\\.html|-license\\.php)?/?$`,
  );
}

/**
 * Whether the texts of a description are kept where nobody has said it: not where it names a licence
 * that may forbid it. Descriptions of one's own house rarely name any.
 */
export function keepsTexts(document: ApiDocument, licence: string | undefined): boolean {
  return licence !== undefined || namesOf(document).every((name) => name === '');
}

/** The SPDX identifier of a description's licence, where it is one that allows copies. */
export function descriptionLicence(document: ApiDocument): string | undefined {
  const names = namesOf(document);
  const named = known.find(([spdx, name]) =>
    names.some((text) => text === spdx || name.test(text)),
  );
  const address = (names[2] ?? '').toLowerCase().replace(/^https?:\/\/(?:www\.)?/, '');
  return (named ?? pages.find(([, page]) => page.test(address)))?.[0];
}

/** What the description calls its licence; generators of descriptions write one without a name. */
function namesOf({ root }: ApiDocument): readonly string[] {
  const { license } = root.info;
  if (!isObject(license)) return [];
  const { identifier, name, url } = license;
  return [identifier, name, url].map((text) => String(text ?? '').trim());
}
