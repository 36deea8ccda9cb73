/** What people hand over in the place of a description, by how it begins, and what to do then. */
const foreignKinds: readonly { readonly begins: RegExp | string; readonly what: string }[] = [
  { begins: '\x1f\x8b', what: 'is packed by gzip: unpack it first' },
  { begins: 'PK\x03\x04', what: 'is a ZIP archive: unpack it, and name the description in it' },
  { begins: '%PDF-', what: 'is a PDF' },
  { begins: '#%RAML', what: 'is RAML: convert it to OpenAPI first' },
  { begins: /^FORMAT: *1A/, what: 'is API Blueprint: convert it to OpenAPI first' },
  { begins: /^\s*syntax *= *["']proto[23]["']/, what: 'is Protocol Buffers, not OpenAPI' },
  {
    begins: /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)*<(?:\w+:)?Edmx\b/i,
    what: 'is OData metadata (CSDL): convert it to OpenAPI first',
  },
  {
    begins: /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)*<(?:\w+:)?(?:definitions|description)\b/i,
    what: 'is WSDL, which describes SOAP, not OpenAPI',
  },
  {
    begins: /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)*<(?:\w+:)?application\b[^>]*wadl/i,
    what: 'is WADL: convert it to OpenAPI first',
  },
];

/** How much of a file tells what it is, and how much of a page is looked through. */
const headBytes = 4096;
const pageBytes = 262_144;

/**
 * What `bytes` are in the place of a description, with what to do, as the end of a sentence; nothing
 * where they may be one. Of a page for people, the descriptions that it names are told.
 *
 * @param address where it was fetched, for what is relative to it
 */
export function foreignText(bytes: Buffer, address: string | undefined): string | undefined {
  const head = bytes.toString('latin1', 0, headBytes).replace(/^\xef\xbb\xbf/, '');
  const kind = foreignKinds.find(({ begins }) =>
    typeof begins === 'string' ? head.startsWith(begins) : begins.test(head),
  );
  if (kind) return kind.what;
  if (!/^\s*(?:<!--[^>]*-->\s*)*<(?:!doctype\s+html|html)\b/i.test(head)) return undefined;
  const named = namedDescriptions(bytes.toString('utf8', 0, pageBytes), address);
  const page = 'is a page of HTML, not a description';
  if (named.length > 0) return `${page}; it names ${named.join(', ')}`;
  return `${page}; browsers load that from an address such as openapi.json, swagger.json or v3/api-docs`;
}

/** The first of the addresses in a page that look like descriptions, as `--openapi` takes them. */
function namedDescriptions(page: string, address: string | undefined): readonly string[] {
  const quoted = page.matchAll(/["']([^"'\s<>{}]{1,300})["']/g);
  const urls = quoted
    .map(([, text = '']) => text.replace(/[?#].*$/s, ''))
    .filter((text) => descriptionName.test(text) && !pageParts.test(text))
    .map((text) => URL.parse(text, address ?? placeholder)?.href ?? '')
    .filter((url) => /^https?:/.test(url))
    .map((url) => (url.startsWith(placeholder) ? url.slice(placeholder.length) : url));
  return [...new Set(urls)].slice(0, 3);
}

const placeholder = 'http://description.invalid/';
const descriptionName =
  /openapi|swagger|api-docs|api-spec|\.ya?ml$|(?:^|\/)(?:api|spec|schema)\.json$/i;
/** What else such pages load, and places inside a page. */
const pageParts = /\.(?:js|mjs|css|html?|png|svg|ico|map|woff2?)$|^\W?[\w-]*$/i;
