import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';

const maildev = fileURLToPath(
  new URL('../../../../node_modules/maildev/bin/maildev', import.meta.url),
);

export interface ReceivedMail {
  readonly subject: string;
  readonly text: string;
  readonly to: readonly { readonly address: string; readonly name: string }[];
  readonly from: readonly { readonly address: string; readonly name: string }[];
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface MailServer {
  readonly smtpUrl: string;
  /** What it has received for an address, the newest last. */
  received(address: string): Promise<readonly ReceivedMail[]>;
  /** Wait for the first one that is not among `known`. */
  next(address: string, known?: number): Promise<ReceivedMail>;
}

/** Start MailDev, a mail server that keeps what it gets, for the time of one test. */
export async function startMailServer(
  t: Pick<TestContext, 'after'>,
  { smtp, args = [] }: { smtp?: number; args?: readonly string[] } = {},
): Promise<MailServer> {
  const folder = mkdtempSync(join(tmpdir(), 'maildev-'));
  const [smtpPort, webPort] = [smtp ?? (await freePort()), await freePort()];
  const child: ChildProcess = spawn(
    process.execPath,
    [
      ...[maildev, '--smtp', String(smtpPort), '--web', String(webPort)],
      ...['--ip', '127.0.0.1', '--web-ip', '127.0.0.1', '--mail-directory', folder, ...args],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  t.after(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });
  child.stderr?.resume();
  child.stdout?.resume();
  const api = `http://127.0.0.1:${webPort}`;
  await until(async () => (await request(`${api}/healthz`)).statusCode === 200);
  const received = async (address: string) => {
    const answer = await request(`${api}/email`);
    const mails = (await answer.body.json()) as readonly ReceivedMail[];
    return mails.filter(({ to }) => to.some((each) => each.address === address));
  };
  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    received,
    async next(address, known = 0) {
      let mails: readonly ReceivedMail[] = [];
      await until(async () => {
        mails = await received(address);
        return mails.length > known;
      });
      const mail = mails.at(-1);
      if (!mail) throw new Error('there is no mail');
      return mail;
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('it has no port');
  return address.port;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo().catch(() => false))) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
