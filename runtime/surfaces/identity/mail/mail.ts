import type { House } from '#contract/house/house';
import type { JobRun } from '#contract/house/jobs';
import type { AnyTransaction } from '#contract/house/store';
import type { Sealer } from '../secrets/sealer.ts';
import { type Message, mailText } from './mail-texts.ts';
import type { Mailer } from './mailer.ts';

interface MailParts extends Pick<House, 'jobs'> {
  readonly sealer: Sealer;
  readonly tenant: string;
  readonly mailer: Mailer;
}

/** Mail that survives a restart, and a mail server that is away: a job with a sealed message. */
export class Mail {
  readonly #parts: MailParts;

  constructor(parts: MailParts) {
    this.#parts = parts;
  }

  /** Seal a message: before the transaction that `send` may be part of. */
  prepare(message: Message): Promise<string> {
    return this.#parts.sealer.seal(JSON.stringify(message));
  }

  /** Send what was prepared, once the transaction holds. */
  async send(sealed: string, tx?: AnyTransaction): Promise<void> {
    const { jobs, tenant } = this.#parts;
    await jobs.enqueue({ name: 'identity-mail', tenant, payload: { sealed } }, tx);
  }

  /** Look for what is to be sent: after the transaction. */
  wake(): void {
    this.#parts.jobs.wake();
  }

  /** The job: it fails, and is done again, where the mail server does not take the message. */
  async run({ payload, signal }: JobRun): Promise<void> {
    const { sealer, mailer } = this.#parts;
    // What `prepare` and `send` have written.
    const { sealed } = payload as { readonly sealed: string };
    const message = JSON.parse(await sealer.open(sealed)) as Message;
    await mailer.send({ to: message.to, ...mailText(message) }, signal);
  }
}
