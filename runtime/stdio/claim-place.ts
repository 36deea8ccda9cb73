import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendLocally } from './local-request.ts';
import { leavePath } from './local-server.ts';
import { MeetingPoint, PlaceTaken, readMeeting } from './meeting-point.ts';

const pollMs = 25;

/** A server that is asked answers within this time. */
const answerMs = 3000;

/** Claim the place, unless another server is there already. One that ends is waited for. */
export function claimFree(dataDir: string, patienceMs: number): Promise<MeetingPoint | undefined> {
  return claim(dataDir, patienceMs, listens);
}

/** Claim the place, unless another server stays there. One that bridges have started makes room. */
export function claimOver(dataDir: string, patienceMs: number): Promise<MeetingPoint | undefined> {
  return claim(dataDir, patienceMs, staysThere);
}

async function claim(
  dataDir: string,
  patienceMs: number,
  isTaken: (socket: string) => Promise<boolean>,
): Promise<MeetingPoint | undefined> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const place = tryToClaim(dataDir);
    if (place) return place;
    const meeting = readMeeting(dataDir);
    if (meeting && (await isTaken(meeting.socket))) return undefined;
    if (performance.now() > end) return undefined;
    await sleep(pollMs);
  }
}

function tryToClaim(dataDir: string): MeetingPoint | undefined {
  try {
    return new MeetingPoint(dataDir);
  } catch (error) {
    if (error instanceof PlaceTaken) return undefined;
    throw error;
  }
}

async function listens(socket: string): Promise<boolean> {
  const connection = connect(socket);
  try {
    await once(connection, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
}

async function staysThere(socketPath: string): Promise<boolean> {
  try {
    const answer = await sendLocally({
      socketPath,
      method: 'POST',
      path: leavePath,
      patienceMs: answerMs,
    });
    answer.resume();
    return answer.statusCode !== 202;
  } catch {
    return false;
  }
}
