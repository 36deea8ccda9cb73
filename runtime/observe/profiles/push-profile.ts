import { request as secureRequest } from 'node:https';
import { request } from '../../process/node-http.ts';
import type { ProfileSettings } from './profile-settings.ts';

interface FoldedProfile {
  readonly text: string;
  readonly sampleRate: number;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
}

/** Push a profile; nothing waits for its socket when the process could end. */
export function pushProfile(
  settings: ProfileSettings,
  { text, sampleRate, from, until }: FoldedProfile,
  signal: AbortSignal,
): Promise<void> {
  const { address, application, version, authorization, tenant } = settings;
  const query = new URLSearchParams({
    ...{ format: 'folded', name: `${application}{version=${version}}` },
    from: String(Math.floor(from / 1000)),
    until: String(Math.ceil(until / 1000)),
    ...{ sampleRate: String(sampleRate), spyName: 'nodespy', units: 'samples' },
  });
  const url = new URL(`${address.replace(/\/+$/, '')}/ingest?${query}`);
  const headers = {
    'content-type': 'text/plain',
    'content-length': Buffer.byteLength(text),
    ...(authorization !== undefined && { authorization }),
    ...(tenant !== undefined && { 'x-scope-orgid': tenant }),
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? secureRequest : request;
    const sent = send(url, { method: 'POST', agent: false, headers, signal }, (reply) => {
      const { statusCode = 0 } = reply;
      // What it says is not read.
      reply.on('error', () => {}).destroy();
      if (statusCode >= 200 && statusCode < 300) resolve();
      else reject(new Error(`the receiver of profiles answered ${statusCode}`));
    });
    sent.on('socket', (socket) => socket.unref());
    // The error of an ended signal has its reason below.
    sent.on('error', (error) => reject(signal.aborted ? signal.reason : error));
    sent.end(text);
  });
}
