import { type Exchange, mockEnded, mockSilent } from '../mock/recorder.ts';

/** A fault of a description or of the mock, for which no tool can be blamed. */
export interface SetAside {
  readonly id: string;
  /** What is wrong, for people who read the report. */
  readonly title: string;
  readonly applies: (exchange: Exchange, objection: string) => boolean;
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
    id: 'mock-reads-no-lines',
    title: 'Prism reads a body of one JSON text on each line as a single text',
    applies: ({ headers }, objection) =>
      /^application\/(?:x-)?(?:ndjson|jsonl)\b/i.test(String(headers['content-type'])) &&
      /^request\.body type: Request body must be array$/.test(objection),
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
    id: 'mock-reads-text-in-forms',
    title: 'Prism takes each field of a form for a text: a list of one, an object as JSON',
    applies: ({ headers }, objection) =>
      /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/.test(
        String(headers['content-type']),
      ) &&
      objection
        .split('; ')
        .every((each) => /^request\.body\.\w+ type: .* must be (?:array|object)\b/.test(each)),
  },
  {
    id: 'document-is-ambiguous',
    title:
      'a number or "true" in an address is of several alternatives of a `oneOf`, as a text too',
    applies: ({ url }, objection) => {
      const { searchParams } = new URL(url, 'http://vendor.invalid');
      return objection.split('; ').every((each) => {
        const name = /^request\.query\.(.+) oneOf: /.exec(each)?.[1];
        const value = name === undefined ? undefined : parameterIn(searchParams, name);
        return value !== undefined && /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value);
      });
    },
  },
];

/** The value of a parameter whose name Prism writes in small letters. */
function parameterIn(parameters: URLSearchParams, name: string): string | undefined {
  return [...parameters].find(([own]) => own.toLowerCase() === name.toLowerCase())?.[1];
}

/** The fault that explains an objection, if it is one of them. */
export function faultOf(exchange: Exchange, objection: string): SetAside | undefined {
  return setAside.find(({ applies }) => applies(exchange, objection));
}
