import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './outbox/mail-server.ts';

export interface Keycloak {
  readonly url: string;
  /** Do what its administrator may do. */
  admin(path: string, body: object): Promise<void>;
  stop(): Promise<void>;
}

/** Start the Keycloak that lies in `KEYCLOAK_HOME`, which keeps nothing; `.ci/run` installs it. */
export async function startKeycloak(t: TestContext): Promise<Keycloak> {
  const home = process.env['KEYCLOAK_HOME'];
  assert.ok(home, 'KEYCLOAK_HOME names the folder of no Keycloak');
  const [port, managementPort] = [await freePort(), await freePort()];
  const ports = ['--http-port', `${port}`, '--http-management-port', `${managementPort}`];
  const words = ['start-dev', '--http-host', '127.0.0.1', ...ports, '--health-enabled=true'];
  const child = spawn(join(home, 'bin/kc.sh'), [...words, '--cache=local', '--db=dev-mem'], {
    // It starts others, which end with it.
    detached: true,
    stdio: 'ignore',
    env: {
      ...process.env,
      ...{ KC_BOOTSTRAP_ADMIN_USERNAME: 'admin', KC_BOOTSTRAP_ADMIN_PASSWORD: 'admin' },
      JAVA_OPTS_KC_HEAP: '-Xms128m -Xmx512m',
    },
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      process.kill(-child.pid, 'SIGKILL');
    }
    await ended;
  };
  t.after(stop);
  while (!(await isReady(`http://127.0.0.1:${managementPort}/health/ready`))) {
    assert.equal(child.exitCode, null, 'Keycloak has ended');
    await sleep(500);
  }
  const url = `http://127.0.0.1:${port}`;
  const admin = async (path: string, body: object) => {
    const form = { grant_type: 'password', client_id: 'admin-cli' };
    const who = { username: 'admin', password: 'admin' };
    const { access_token: token } = await ask(`${url}/realms/master`, { ...form, ...who });
    const answer = await fetch(`${url}/admin${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 201, await answer.text());
  };
  return { url, admin, stop };
}

/** Ask the token endpoint of a realm. */
export async function ask(
  realm: string,
  form: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const answer = await fetch(`${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  assert.equal(answer.status, 200);
  return (await answer.json()) as Readonly<Record<string, string>>;
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
