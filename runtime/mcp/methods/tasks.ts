import type { InputResponses } from '#contract/client';
import { isObject } from '#contract/json';
import type { Call } from '../../admission/call.ts';
import { type Outcome, rejected } from '../outcome/outcome.ts';
import type { Method } from '../request/method.ts';
import { detailedTask } from '../tasks/task.ts';
import { knowsTasks, type Tasks, tasksCapability } from '../tasks/tasks.ts';
import { errorCode, type Params } from '../wire/json-rpc.ts';

const mostAnswerCharacters = 1024 * 1024;

/** The methods of the Tasks extension (SEP-2663). */
export function taskMethods(tasks: Tasks): readonly (readonly [string, Method])[] {
  return [
    ['tasks/get', tasksGet(tasks)],
    ['tasks/update', tasksUpdate(tasks)],
    ['tasks/cancel', tasksCancel(tasks)],
  ];
}

/** Say where a task stands, with its result when it has one. */
function tasksGet(tasks: Tasks): Method {
  return taskMethod(checkTaskId, async ({ caller }, taskId) => {
    const task = await tasks.find(caller, taskId);
    return task && detailedTask(task);
  });
}

/** Take answers to what a task asks; those to anything else are ignored, whatever they are. */
function tasksUpdate(tasks: Tasks): Method {
  return taskMethod(checkAnswers, async ({ caller }, taskId, { inputResponses }) => {
    const task = await tasks.find(caller, taskId);
    if (!task) return undefined;
    // Checked with the parameters.
    const given = Object.entries(inputResponses as object);
    const counting = given.filter(([key]) => Object.hasOwn(task.requests, key));
    const wrong = counting.find(([, response]) => !isObject(response));
    if (wrong) return `"inputResponses" must have an object for ${JSON.stringify(wrong[0])}`;
    const responses: InputResponses = Object.fromEntries(counting);
    return (await tasks.answer(caller, taskId, responses)) ? {} : undefined;
  });
}

/** Ask a task to stop; one that has ended stays as it is. */
function tasksCancel(tasks: Tasks): Method {
  return taskMethod(checkTaskId, async ({ caller }, taskId) =>
    (await tasks.cancel(caller, taskId)) ? {} : undefined,
  );
}

function taskMethod(
  check: NonNullable<Method['check']>,
  /** Gives the result, or a text that says what is wrong; nothing when there is no such task. */
  act: (call: Call, taskId: string, params: Params) => Promise<object | string | undefined>,
): Method {
  return {
    subject: 'taskId',
    check,
    async run(params, call): Promise<Outcome> {
      if (!knowsTasks(call.client)) {
        return { kind: 'missingCapability', required: tasksCapability };
      }
      const result = await act(call, String(params['taskId']), params);
      if (typeof result === 'string') return rejected(errorCode.invalidParams, result);
      if (result) return { kind: 'complete', result };
      // Another caller's task looks like none.
      return rejected(errorCode.invalidParams, 'there is no such task, or it has expired');
    },
  };
}

function checkTaskId({ taskId }: Params): string | undefined {
  return typeof taskId === 'string' ? undefined : '"taskId" must be a string';
}

function checkAnswers(params: Params): string | undefined {
  const { taskId, inputResponses } = params;
  const problem = checkTaskId({ taskId });
  if (problem !== undefined) return problem;
  if (!isObject(inputResponses)) return '"inputResponses" must be an object, by the keys asked';
  return JSON.stringify(inputResponses).length > mostAnswerCharacters
    ? `"inputResponses" has more than ${mostAnswerCharacters} characters`
    : undefined;
}
