import type { Task } from '#contract/house/task';
import { isObject, type JsonObject } from '#contract/json';
import { didYouMean, namesOfSameStart } from '#contract/nearest-name';
import type { PaymentProofs, PaymentReceipt } from '#contract/payment/payment';
import type { ToolResult } from '#contract/tool';
import type { Call } from '../../admission/call.ts';
import type { Input } from '../../admission/steps/pipeline.ts';
import type { MirroredArgument } from '../../offer/mirrored-arguments.ts';
import { type Outcome, rejected } from '../outcome/outcome.ts';
import { failureOf } from '../outcome/tool-failure.ts';
import { profileOf } from '../profiles/profile-of.ts';
import { type WrittenForm, writtenForm } from '../profiles/schema-form.ts';
import { bindingOf, Dialogue } from '../request/dialogue.ts';
import type { Method } from '../request/method.ts';
import type { Offer } from '../request/revision.ts';
import { shownTask } from '../tasks/task.ts';
import { Deferred, knowsTasks, type Tasks } from '../tasks/tasks.ts';
import { metaOf } from '../wire/classify.ts';
import { errorCode, type Params } from '../wire/json-rpc.ts';
import { mirrorProblem } from '../wire/mirrors.ts';

/** Where a client puts the key with which a call is not done twice. */
const idempotencyMeta = 'dev.agent-tool-server/idempotency-key';

/** So many tools of the same source are named where none is called almost so. */
const mostAkin = 3;

const noArguments: Input = {};
const noMarks: readonly MirroredArgument[] = [];

type ToolsCallParts = Pick<Offer, 'catalogue' | 'running' | 'dialogue' | 'tasks'>;

/** Run one tool. */
export function toolsCall({ catalogue, running, dialogue, tasks }: ToolsCallParts): Method {
  return {
    subject: 'name',
    check(params) {
      const { name, arguments: args } = params;
      if (typeof name !== 'string') return '"name" must be a string';
      return args === undefined || isObject(args)
        ? Dialogue.check(params)
        : '"arguments" must be an object';
    },
    async run(params: Params, call: Call): Promise<Outcome> {
      const name = String(params['name']);
      const found = catalogue.find(name, call.caller.tenant);
      if (!found) return unknownTool(name, catalogue.names(call.caller.tenant));
      const args = (params['arguments'] ?? noArguments) as Input;
      const binding = () => bindingOf('tools/call', [name, args as JsonObject], call);
      let written: WrittenForm | undefined;
      try {
        const tool = found instanceof Promise ? await found : found;
        written = writtenForm(tool.definition, profileOf(call.client));
        const { mirrored = noMarks } = written ?? tool;
        const mismatch = call.headers && mirrorProblem(mirrored, args, call.headers);
        if (mismatch !== undefined) return { kind: 'mismatch', message: mismatch };
        const refusal = dialogue.open(binding, params, call);
        if (refusal) return refusal;
        if (tool.definition.idempotency) call.idempotencyKey = metaOf(params)[idempotencyMeta];
        const { price } = tool.definition;
        // It may be for a tool that this one calls.
        const proofs = proofsOf(metaOf(params));
        if (proofs) call.payment = proofs;
        // What is paid for is done at once: a payment is not kept for later.
        if (tasks && !price && knowsTasks(call.client)) {
          const defer: typeof call.defer = (operation, input, wait) =>
            tasks.defer(operation, input, call, wait);
          // Written where it is assigned, V8 would make it, with the call, among its old objects.
          call.defer = defer;
        }
        running.requireRoom(call.caller);
        const exact = written ? written.read(args) : args;
        const result = await running.settle(call, tool.run(exact, call));
        return {
          kind: 'toolResult',
          result: call.receipt ? receipted(result, call.receipt) : result,
        };
      } catch (error) {
        if (tasks && error instanceof Deferred) return deferred(tasks, error.task);
        const told = written ? written.rephrase(error) : error;
        return failureOf(told) ?? dialogue.outcomeOf(told, binding, call);
      }
    },
  };
}

/** What came along to pay with (x402 v2, MCP transport; MPP, JSON-RPC and MCP transport). */
function proofsOf(meta: Readonly<Record<string, unknown>>): PaymentProofs | undefined {
  const { 'x402/payment': x402, 'org.paymentauth/credential': credential } = meta;
  return x402 === undefined && credential === undefined ? undefined : { x402, credential };
}

function receipted(result: ToolResult, { meta }: PaymentReceipt): ToolResult {
  return { ...result, _meta: { ...result._meta, ...meta } };
}

/** Where the work is done already, its result takes the place of the task. */
async function deferred(tasks: Tasks, task: Task): Promise<Outcome> {
  if (task.end?.kind !== 'result') return { kind: 'task', task: shownTask(task) };
  await tasks.forget(task);
  return { kind: 'toolResult', result: task.end.result };
}

function unknownTool(name: string, names: Iterable<string>): Outcome {
  const known = [...names];
  const akin = namesOfSameStart(name, known, mostAkin);
  const some = akin.length > 0 ? `; nearest to it are ${akin.join(', ')}` : undefined;
  const hint = didYouMean(name, known) || (some ?? '; tools/list names those there are');
  const text = `there is no tool called ${JSON.stringify(name.slice(0, 128))}${hint}`;
  return rejected(errorCode.invalidParams, text);
}
