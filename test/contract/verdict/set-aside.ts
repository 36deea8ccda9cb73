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
];

/** The fault that explains an objection, if it is one of them. */
export function faultOf(exchange: Exchange, objection: string): SetAside | undefined {
  return setAside.find(({ applies }) => applies(exchange, objection));
}
