import type { Log } from '#contract/house/log';
import type { MailText } from './mail-texts.ts';

export interface Letter extends MailText {
  readonly to: string;
}

/** Brings letters to a mail server. */
export interface Mailer {
  /** @throws Error when the server did not take it */
  send(letter: Letter, signal: AbortSignal): Promise<void>;
}

interface SmtpOptions {
  /** `smtp:` (STARTTLS where the server offers it) or `smtps:`. */
  readonly url: string;
  readonly from: () => string;
}

/** How long a mail server may take to answer, and for a step. */
const connectionMs = 10_000;
const socketMs = 30_000;

/** Send by SMTP (RFC 5321). What that needs is loaded with the first letter. */
export function smtpMailer({ url, from }: SmtpOptions): Mailer {
  return {
    async send({ to, subject, text }, signal) {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        url,
        connectionTimeout: connectionMs,
        greetingTimeout: connectionMs,
        socketTimeout: socketMs,
        // Neither a file nor a URL is ever attached.
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const close = () => transport.close();
      signal.addEventListener('abort', close, { once: true });
      try {
        await transport.sendMail({
          from: from(),
          // As an object, no list of addresses can be made of one.
          to: { name: '', address: to },
          subject,
          text,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } finally {
        signal.removeEventListener('abort', close);
        close();
      }
    },
  };
}

/** Write letters to the log, for development. */
export function logMailer(log: Log): Mailer {
  return {
    async send({ to, subject, text }) {
      log.info(`SERVICE_SMTP_URL is not set, so this is not sent to ${to}: ${subject}\n${text}`);
    },
  };
}
