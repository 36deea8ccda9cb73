import type { Arrival, Transport } from './arrival.ts';
import type { Answers, ApprovalMark, ClientFacts, LogLevel } from './client.ts';
import type { ServiceError } from './errors.ts';
import type { Json } from './json.ts';
import type { PaymentProofs, PaymentReceipt } from './payment/payment.ts';
import type { OpenSpan } from './telemetry/span.ts';
import type { TraceContext } from './trace.ts';

/** On whose behalf an operation runs. Every act carries one. */
export interface Caller {
  readonly tenant: string;
  readonly subject: string;
  /** The software that speaks for the subject, as far as it is known. */
  readonly client: string;
  readonly scopes: ReadonlySet<string> | 'all';
  readonly transport: Transport;
  /** The registration of the agent that calls; absent for others. */
  readonly registration?: string;
  /** The consent of a person with which a client calls; absent for others. */
  readonly grant?: string;
  /** Nobody in particular: all that tells such callers apart is where they call from. */
  readonly isAnonymous?: true;
}

/** What an operation needs to know about the call that it serves. */
export interface CallContext {
  readonly caller: Caller;
  /** Aborted when the client leaves, the deadline passes or the server stops. */
  readonly signal: AbortSignal;
  /**
   * Aborted as soon as the server begins to stop, where that leaves running calls time to come to an
   * end: what only waits ends with it, with its reason. Absent for what is no task.
   */
  readonly stopping?: AbortSignal;
  /**
   * Have `stop` called where the signal would be aborted; the result takes that back. A signal is made
   * when it is asked for, and costs more than the rest of a call: what serves every call spares it.
   */
  readonly whenAborted?: (stop: () => void) => () => void;
  /**
   * Do what only waits: meanwhile the call takes the place of no other one, and its deadline begins
   * anew afterwards. Whoever waits has a bound of its own for how many do.
   */
  readonly rest?: <Result>(wait: () => Promise<Result>) => Promise<Result>;
  /** Unique for each call; an idempotency key for vendors that take one is derived from it. */
  readonly callId: string;
  /**
   * Set where the call was approved: the same for each attempt at what was approved, so that a key
   * of it stands for the act and not for the attempt.
   */
  actId?: string;
  /** The HTTP request that brought it; absent for what a terminal, a task or a script calls. */
  readonly http?: Arrival;
  /** With which the call is not done twice, as the client sent it: check before use. */
  readonly idempotencyKey?: unknown;
  /**
   * Set where a call with the same key, of which nobody knows the end, had begun with the same: this one
   * goes on where that one stopped.
   */
  resumes?: true;
  /** What the client has sent along in its message to pay with: check before use. */
  readonly payment?: PaymentProofs;
  /** Set once the call was paid: what the client is told of that. */
  receipt?: PaymentReceipt;
  /**
   * Set while something is under way that goes on without the call, as money that moves: what the
   * client is told where the call is stopped meanwhile. A client that leaves does not stop it.
   */
  underWay?: ServiceError | undefined;
  /**
   * Set once a request went out that asks for more than an answer, and whether it may be sent again: what
   * the client is told where the call is stopped, and nobody hears what became of it.
   */
  mayBeDone?: 'repeatable' | 'once' | undefined;
  /** The trace that the client says this call belongs to. */
  readonly trace?: TraceContext;
  /** The span of this call; absent where it is not traced here. */
  readonly span?: OpenSpan;
  /** Tell the client how far a long call has come. Absent when the client did not ask. */
  readonly progress?: (done: number, total?: number, message?: string) => void;
  /** Tell the client what happens. Absent when the client did not ask for it. */
  readonly log?: (level: LogLevel, data: Json, logger?: string) => void;
  /** What the client says of itself and can be asked. */
  readonly client: ClientFacts;
  /** What the client has answered to an `InputRequired` of this very operation. */
  readonly answers: Answers;
  /** Leave the work to a task (MCP, Tasks extension). Absent when the client knows no tasks, or this is one. */
  readonly defer?: (
    operation: DeferredOperation,
    input: Readonly<Record<string, unknown>>,
    wait?: ApprovalWait,
  ) => Promise<never>;
  /** This is the run of a task. */
  readonly inTask?: true;
  /** The approval that the task has, or with an id, waited for. */
  readonly approval?: Pick<ApprovalMark, 'digest' | 'id'>;
}

/** What is left to a task. */
export interface DeferredOperation {
  readonly name: string;
  readonly task?: 'optional' | 'required';
  readonly confirm?: 'elicitation' | 'token';
}

/** A task that begins its work only after somebody has decided. */
export interface ApprovalWait {
  readonly digest: string;
  readonly id: string;
  /** Tells the client what the task waits for. */
  readonly statusMessage: string;
}
