import type { WholeDocument } from '../mock/document/whole-document.ts';
import { type Exchange, mockEnded, mockSilent } from '../mock/recorder.ts';
import { separator } from './separator.ts';

/** A fault of a description or of the mock, for which no tool can be blamed. */
export interface SetAside {
  readonly id: string;
  /** What is wrong, for people who read the report. */
  readonly title: string;
  readonly applies: (exchange: Exchange, objection: string, document: Described) => boolean;
}

/** The document that judges, as far as it explains an objection. */
export type Described = Pick<WholeDocument, 'at'>;

/** Of a body that is of none of the alternatives, what each of them misses is told besides. */
function isOnlyChoice(violations: Exchange['violations'], place: string): boolean {
  return violations.every(({ code, location }) => code === 'oneOf' || !location.startsWith(place));
}

/** Whether all that is told are such choices, and the alternatives around them, none of which fits then. */
function isChoiceWithin(violations: Exchange['violations']): boolean {
  const places = violations
    .filter(({ code, location }) => code === 'oneOf' && isOnlyChoice(violations, location))
    .map(({ location }) => location);
  const isAround = (location: string) =>
    places.some((place) => place === location || place.startsWith(`${location}.`));
  return places.length > 0 && violations.every(({ location }) => isAround(location));
}

/** What is set aside; the first that applies names the reason. Everything else counts against us. */
export const setAside: readonly SetAside[] = [
  {
    id: 'mock-ended',
    title: 'Prism ends at this request, or does not answer it',
    applies: ({ problem }) => problem === mockEnded || problem === mockSilent,
  },
  {
    id: 'mock-demands-nothing',
    title:
      'the description demands no credential (`{}`), and Prism wants one that is called "None"',
    applies: ({ problem, answer }) =>
      problem === 'UNAUTHORIZED' && answer.includes('"WWW-Authenticate":"None"'),
  },
  {
    id: 'mock-has-no-answer',
    title: 'the request is in order, and Prism cannot make an answer up for it',
    applies: ({ problem, violations, status }) =>
      (status >= 500 || problem === 'NOT_ACCEPTABLE') &&
      violations.every(({ location }) => !location.startsWith('request')),
  },
  {
    id: 'mock-takes-another-path',
    title: 'the document has this path, and Prism finds none, or takes another that is less exact',
    applies: ({ method, url }, objection, document) => {
      const found = document.at(method, url);
      const isLost = /^NO_(?:PATH|METHOD)_MATCHED_ERROR$/.test(objection);
      return isLost
        ? found.length > 0
        : found.some(
            ({ template }) =>
              /\}\{/.test(template) || (/\}[^/{]/.test(template) && found.length > 1),
          );
    },
  },
  {
    id: 'document-has-one-path-twice',
    title:
      'the document has two paths that differ in the names of their parameters alone, which are one (OpenAPI, paths object)',
    applies: ({ method, url }, _, document) => {
      const found = document.at(method, url).map(({ template }) => nameless(template));
      return new Set(found).size < found.length;
    },
  },
  {
    id: 'document-header-that-cannot-be',
    title: 'the document demands a header by a name that no header can have',
    applies: (_, objection) => /^request\.header required: .*'[^']*[\s:][^']*'$/.test(objection),
  },
  {
    id: 'document-body-of-other-type',
    title: 'the document describes a list or an object in a body of a type that holds neither',
    applies: ({ method, url }, objection, document) =>
      /^request\.body type: Request body must be (?:array|object)$/.test(objection) &&
      document
        .at(method, url)
        .some(({ bodyTypes }) => bodyTypes().every((type) => !/json|form|xml/i.test(type))),
  },
  {
    id: 'document-has-no-success',
    title: 'the document describes nothing but errors, and Prism answers one of them',
    applies: ({ method, url, problem, violations }, _, document) =>
      problem === undefined &&
      violations.every(({ location }) => !location.startsWith('request')) &&
      document
        .at(method, url)
        .some(({ statuses }) => statuses?.every((status) => !/^(?:[123]|default)/.test(status))),
  },
  {
    id: 'document-closes-its-parts',
    title: 'parts of an `allOf` each forbid what the other has: no body satisfies both',
    applies: ({ method, url }, objection, document) =>
      objection
        .split(separator)
        .some((each) => /^request\.body(?:\.\S+)? additionalProperties: /.test(each)) &&
      objection
        .split(separator)
        .every((each) =>
          /^request\.body(?:\.\S+)? (?:additionalProperties|oneOf|anyOf): /.test(each),
        ) &&
      document.at(method, url).some((operation) => operation.closesParts()),
  },
  {
    id: 'mock-makes-no-choice',
    title:
      'a body is of several alternatives of a `oneOf`, and a discriminator, which Prism does not read, or nothing at all tells which is meant',
    applies: ({ method, url, violations }, objection, document) => {
      const place = /^(request\.body\S*) oneOf: /.exec(objection)?.[1];
      const isOfSeveral = place !== undefined && isOnlyChoice(violations, place);
      const isLeft = () => document.at(method, url).some(({ leavesChoice }) => leavesChoice());
      return (isOfSeveral || isChoiceWithin(violations)) && isLeft();
    },
  },
  {
    id: 'document-has-alike-alternatives',
    title:
      'several alternatives of a `oneOf` in a body take what they describe: each of them leaves others open',
    applies: ({ method, url, body, violations }, _, document) => {
      const sent = parsed(body);
      const places = violations
        .filter(({ code, location }) => code === 'oneOf' && location.startsWith('request.body'))
        .map(({ location }) => location)
        .filter((place) => {
          const steps = place.split(/[.[\]]+/).slice(2);
          return document.at(method, url).some((operation) => operation.severalTake(steps, sent));
        });
      // What the other alternatives miss is told below them, and what is around them takes nothing either.
      return (
        places.length > 0 &&
        violations.every(({ code, location }) =>
          places.some(
            (place) =>
              `${location}.`.startsWith(`${place}.`) ||
              (/^(?:one|any)Of$/.test(code) && place.startsWith(`${location}.`)),
          ),
        )
      );
    },
  },
  {
    id: 'document-form-is-no-object',
    title: 'the description wants a single text of a form, which is an object of fields',
    applies: ({ headers }, objection) =>
      /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/.test(
        String(headers['content-type']),
      ) && objection === 'request.body type: Request body must be string',
  },
  {
    id: 'mock-reads-what-says-nothing',
    title:
      'parameters called Accept, Content-Type and Authorization are ignored (OpenAPI, parameter object), and Prism holds what they are against a request',
    applies: (_, objection) =>
      objection
        .split(separator)
        .every((each) =>
          /^request\.header(?:\.(?:accept|authorization|content-type) | required: .*'(?:accept|content-type)'$)/.test(
            each,
          ),
        ),
  },
  {
    id: 'document-names-the-client',
    title:
      'the document holds the User-Agent against a pattern, which names the server and its operator',
    applies: (_, objection) =>
      objection.split(separator).every((each) => each.startsWith('request.header.user-agent ')),
  },
  {
    id: 'document-names-the-codings',
    title:
      'the document holds the Accept-Encoding against values, which the connection names and no tool (RFC 9110, section 12.5.3)',
    applies: (_, objection) =>
      objection
        .split(separator)
        .every((each) => each.startsWith('request.header.accept-encoding ')),
  },
  {
    id: 'document-demands-a-signature',
    title:
      'the document demands a header that is worked out from each request, which a proxy before the vendor has to add: the draft says so, and sends none',
    applies: ({ method, url, headers }, objection, document) =>
      objection.split(separator).every((each) => {
        const name = /^request\.header required: .*'([^']*)'$/.exec(each)?.[1];
        return (
          name !== undefined &&
          headers[name] === undefined &&
          document.at(method, url).some((operation) => operation.signatures().includes(name))
        );
      }),
  },
  {
    id: 'document-demands-another-path',
    title: 'the document demands a path parameter for which its path has no place',
    applies: (_, objection) =>
      objection.split(separator).every((each) => each.startsWith('request.path required: ')),
  },
  {
    id: 'mock-encodes-names',
    title: 'Prism looks for a required parameter under its name in percent-encoding',
    applies: ({ url }, objection) => {
      const name = /^request\.query required: .*'([^']*%5b[^']*)'$/i.exec(objection)?.[1] ?? '';
      const { searchParams } = new URL(url, 'http://vendor.invalid');
      return name !== '' && parameterIn(searchParams, decodeURIComponent(name)) !== undefined;
    },
  },
  {
    id: 'mock-reads-one-item',
    title: 'Prism reads a list of one in an address as a text where null is a type beside it',
    applies: ({ url }, objection) => {
      const name = /^request\.query\.(.+) type: .* must be array\b/.exec(objection)?.[1];
      const { searchParams } = new URL(url, 'http://vendor.invalid');
      return (
        name !== undefined &&
        objection.split(separator).every((each) => each.startsWith(`request.query.${name} `)) &&
        searchParams.getAll(name).length === 1
      );
    },
  },
  {
    id: 'document-lists-no-texts',
    title:
      'the document lists numbers as the values of a text, or texts as those of a list: what an address says is none of them',
    applies: ({ url }, objection) => {
      const { searchParams } = new URL(url, 'http://vendor.invalid');
      return objection.split(separator).every((each) => {
        const [, name = '', listed = ''] =
          /^request\.query\.(\S+) enum: .* one of the allowed values: (.+)$/.exec(each) ?? [];
        const value = parameterIn(searchParams, name);
        const values = listed.split(', ');
        return value?.split(',').every((one) => values.includes(one)) === true;
      });
    },
  },
  {
    id: 'mock-joins-no-alternatives',
    title: 'Prism puts an exploded object together only where its schema is no union',
    applies: ({ url }, objection) => {
      const { searchParams } = new URL(url, 'http://vendor.invalid');
      return objection.split(separator).every((each) => {
        const name = /^request\.query\.(\w+) (?:required|oneOf|anyOf): /.exec(each)?.[1];
        return name !== undefined && searchParams.size > 0 && !searchParams.has(name);
      });
    },
  },
  {
    id: 'mock-reads-no-scalars',
    title: 'Prism takes a JSON body that is a single number, text or boolean for something else',
    applies: ({ body }, objection) => {
      const wanted = /^request\.body type: Request body must be (\w+)$/.exec(objection)?.[1];
      const sent = parsedScalar(body);
      return sent !== undefined && wanted === (Number.isInteger(sent) ? 'integer' : typeof sent);
    },
  },
  {
    id: 'mock-reads-no-text-json',
    title: 'Prism reads a body of text/json as a single text',
    applies: ({ headers }, objection) =>
      /^text\/json\b/i.test(String(headers['content-type'])) &&
      /^request\.body type: Request body must be (?:array|object)$/.test(objection),
  },
  {
    id: 'mock-reads-no-lines',
    title: 'Prism reads a body of one JSON text on each line as a single text',
    applies: ({ headers }, objection) =>
      /^application\/(?:x-)?(?:ndjson|jsonl)\b/i.test(String(headers['content-type'])) &&
      /^request\.body type: Request body must be (?:array|object)$/.test(objection),
  },
  {
    id: 'mock-wants-bytes',
    title:
      'a required body without any members is a form of no bytes, for which Prism sees no body',
    applies: ({ headers, body }, objection) =>
      body.length === 0 &&
      headers['content-type'] !== undefined &&
      objection === 'request required: Body parameter is required',
  },
  {
    id: 'mock-reads-bytes-as-letters',
    title:
      'a body of application/octet-stream with `format: byte` goes as its bytes, as servers take it, and Prism holds it to base64',
    applies: ({ headers }, objection) =>
      headers['content-type'] === 'application/octet-stream' &&
      objection.includes('request.body format: Request body must match format "byte"'),
  },
  {
    id: 'mock-reads-text-in-forms',
    title: 'Prism takes each field of a form for a text: a list of one, an object as JSON, true',
    applies: ({ headers }, objection) =>
      /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/.test(
        String(headers['content-type']),
      ) &&
      objection
        .split(separator)
        .every((each) =>
          /^request\.body\.[\w.[\]-]+ (?:type: .* must be (?:array|object)\b|const: )/.test(each),
        ),
  },
  {
    id: 'mock-encodes-parts',
    title:
      'the style of a field says nothing in a multipart body (OpenAPI 3.0, encoding object), and Prism wants what stands there as in an address',
    applies: ({ headers }, objection) =>
      String(headers['content-type']).startsWith('multipart/') &&
      objection.split(separator).every((each) => each.includes(': Reserved characters used in ')),
  },
  {
    id: 'mock-reads-no-deep-lists',
    title:
      'Prism puts a list of objects together from brackets in a form, and then reads it as JSON',
    applies: ({ body }, objection) =>
      objection.startsWith('request 415: Cannot deserialize JSON object array') &&
      /(?:^|&)[^=&]+(?:\[|%5B)\d*(?:\]|%5D)/i.test(body.toString()),
  },
  {
    id: 'document-is-ambiguous',
    title:
      'a number or "true" in an address is of several alternatives of a `oneOf`, as a text too',
    applies: ({ url, violations }, objection) => {
      const { searchParams } = new URL(url, 'http://vendor.invalid');
      const unions = violations
        .filter(({ code }) => code === 'oneOf')
        .map(({ location }) => location);
      return objection.split(separator).every((each) => {
        // What single alternatives miss is told beside it.
        const place = /^(request\.query\..+?) [\w ]+: /.exec(each)?.[1] ?? '';
        const value = parameterIn(searchParams, place.slice('request.query.'.length));
        const isScalar = value !== undefined && /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value);
        return isScalar && unions.includes(place);
      });
    },
  },
];

function nameless(template: string): string {
  return template.replaceAll(/\{[^}]*\}/g, '{}');
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function parsedScalar(body: Buffer): string | number | boolean | undefined {
  const value = parsed(body);
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
  return isScalar ? (value as string | number | boolean) : undefined;
}

/** The value of a parameter whose name Prism writes in small letters. */
function parameterIn(parameters: URLSearchParams, name: string): string | undefined {
  return [...parameters].find(([own]) => own.toLowerCase() === name.toLowerCase())?.[1];
}

/** The fault that explains an objection, if it is one of them. */
export function faultOf(
  exchange: Exchange,
  objection: string,
  document: Described,
): SetAside | undefined {
  const fault = (text: string) => setAside.find(({ applies }) => applies(exchange, text, document));
  const whole = fault(objection);
  if (whole) return whole;
  const parts = objection.split(separator).map(fault);
  return parts.every((part) => part !== undefined) ? parts[0] : undefined;
}
