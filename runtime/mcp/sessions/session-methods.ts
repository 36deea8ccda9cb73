import { type LogLevel, logLevels } from '#contract/client';
import type { Resources } from '../../offer/resources.ts';
import { rejected } from '../outcome/outcome.ts';
import type { Method } from '../request/method.ts';
import { errorCode, type Params } from '../wire/json-rpc.ts';

/** Resources that one session watches. */
const mostWatched = 1000;

/** What a client has set in its session. */
export interface SessionState {
  /** The least severe of the messages that it wants. */
  logLevel: LogLevel;
  /** The URIs of the resources of which it wants to hear. */
  readonly watched: Set<string>;
}

const done = { kind: 'complete', result: {} } as const;

/** The methods that only a session has. */
export function sessionMethods(
  state: SessionState,
  resources: Resources,
): readonly (readonly [string, Method])[] {
  const setLevel: Method = {
    check: ({ level }) =>
      isLogLevel(level) ? undefined : `"level" must be one of ${logLevels.join(', ')}`,
    run({ level }) {
      if (isLogLevel(level)) state.logLevel = level;
      return done;
    },
  };
  const subscribe: Method = {
    check: checkUri,
    run(params) {
      const uri = String(params['uri']);
      if (!resources.find(uri)) return { kind: 'noResource', uri };
      if (state.watched.size >= mostWatched && !state.watched.has(uri)) {
        const text = `a session watches at most ${mostWatched} resources`;
        return rejected(errorCode.invalidRequest, text);
      }
      state.watched.add(uri);
      return done;
    },
  };
  const unsubscribe: Method = {
    check: checkUri,
    run(params) {
      state.watched.delete(String(params['uri']));
      return done;
    },
  };
  return [
    ['logging/setLevel', setLevel],
    ...(resources.size > 0
      ? ([
          ['resources/subscribe', subscribe],
          ['resources/unsubscribe', unsubscribe],
        ] as const)
      : []),
  ];
}

function checkUri({ uri }: Params): string | undefined {
  return typeof uri === 'string' ? undefined : '"uri" must be a string';
}

function isLogLevel(value: unknown): value is LogLevel {
  return logLevels.some((level) => level === value);
}
