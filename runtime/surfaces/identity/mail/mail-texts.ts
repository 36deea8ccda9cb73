/** What is written to people. Only plain text: no reader shows it as anything else. */
export type Message =
  | {
      readonly kind: 'sign-in';
      readonly to: string;
      readonly link: string;
      readonly minutes: number;
    }
  | {
      readonly kind: 'claimed';
      readonly to: string;
      readonly server: string;
      /** As the agent calls itself, on one line. */
      readonly agent: string;
      /** In the words that the person has agreed to. */
      readonly scopes: readonly string[];
      /** Where it can be revoked. */
      readonly page: string;
    };

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** What a message says. */
export function mailText(message: Message): MailText {
  switch (message.kind) {
    case 'sign-in':
      return {
        subject: 'Your sign-in link',
        text: `Somebody, most likely you, wants to sign in with this address.

Open this link in the browser in which you asked for it:

${message.link}

It works once, within ${message.minutes} minutes. If it was not you, do nothing: without the link nobody can sign in.
`,
      };
    case 'claimed':
      return {
        subject: 'An agent acts for you now',
        text: `You have claimed an agent at ${message.server}. It calls itself ${quoted(message.agent)}.

It may:
${message.scopes.map((scope) => `- ${scope}`).join('\n')}

If that was not you, or you want it to stop, revoke it here:

${message.page}
`,
      };
  }
}

function quoted(name: string): string {
  return name === '' ? 'nothing in particular' : `"${name}"`;
}
