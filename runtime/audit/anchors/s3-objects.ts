import { hash } from 'node:crypto';
import { isObject } from '#contract/json';
import type { S3Send } from './s3-client.ts';

const dayMs = 86_400_000;
const mostListBytes = 4 * 1024 * 1024;

/** An object that nobody can overwrite or delete before its time, the owner of the account included. */
export interface LockedObject {
  readonly key: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Writes objects into a bucket with object lock, each of them once. */
export class LockedObjects {
  readonly #send: S3Send;
  readonly #retainDays: number;

  constructor(send: S3Send, retainDays: number) {
    this.#send = send;
    this.#retainDays = retainDays;
  }

  /**
   * Put an object, unless the very same is there already.
   *
   * @throws Error when there is another one in its place
   */
  async put(object: LockedObject, signal: AbortSignal): Promise<void> {
    const until = new Date(Date.now() + this.#retainDays * dayMs).toISOString();
    const headers = {
      'content-type': object.type,
      'if-none-match': '*',
      // A lock is refused without a checksum: older services know the first one alone.
      'content-md5': hash('md5', object.bytes, 'base64'),
      'x-amz-checksum-sha256': hash('sha256', object.bytes, 'base64'),
      'x-amz-sdk-checksum-algorithm': 'SHA256',
      'x-amz-object-lock-mode': 'COMPLIANCE',
      'x-amz-object-lock-retain-until-date': until,
    };
    const { key, bytes: body } = object;
    const { status } = await this.#send(
      { method: 'PUT', key, headers, body, also: [412], mostBytes: mostListBytes },
      signal,
    );
    if (status !== 412 || (await this.has(object, signal))) return;
    throw new Error(`the bucket had ${key} and has lost it`);
  }

  /**
   * Whether the very same object is there.
   *
   * @throws Error when there is another one in its place
   */
  async has({ key, bytes }: LockedObject, signal: AbortSignal): Promise<boolean> {
    const headers = { 'x-amz-checksum-mode': 'ENABLED' };
    const head = await this.#send({ method: 'HEAD', key, headers, also: [404] }, signal);
    if (head.status === 404) return false;
    const noted = head.headers['x-amz-checksum-sha256'];
    const same =
      noted === undefined
        ? Number(head.headers['content-length']) === bytes.length &&
          Buffer.compare(await this.#read(key, bytes.length, signal), bytes) === 0
        : noted === hash('sha256', bytes, 'base64');
    if (!same) throw new Error(`the bucket holds something else under ${key}`);
    return true;
  }

  /**
   * Make sure that the service locks what it is told to lock: some take the headers and do nothing.
   *
   * @throws Error
   */
  async requireLock(key: string, signal: AbortSignal): Promise<void> {
    const { headers } = await this.#send({ method: 'HEAD', key }, signal);
    const mode = headers['x-amz-object-lock-mode'];
    if (mode === 'COMPLIANCE') return;
    throw new Error(
      `${key} is not known to be locked: expected object lock in mode COMPLIANCE, found ${mode ?? 'none'}; ` +
        'the bucket needs object lock, and the access key the right to read retention',
    );
  }

  async #read(key: string, most: number, signal: AbortSignal): Promise<Buffer> {
    return (await this.#send({ method: 'GET', key, mostBytes: most }, signal)).bytes;
  }
}

export interface ObjectVersion {
  readonly key: string;
  readonly versionId: string;
}

/** Where a list goes on: after this key, or within its versions. */
export interface ListMarker {
  readonly key: string;
  readonly versionId?: string;
}

export interface VersionPage {
  /** In the order of their keys, of one key the newest first; what marks a deletion is left out. */
  readonly versions: readonly ObjectVersion[];
  readonly next: ListMarker | undefined;
}

/** List one page of all versions under a prefix: whatever hides an object, its versions stay. */
export async function listVersions(
  send: S3Send,
  prefix: string,
  after: ListMarker | undefined,
  signal: AbortSignal,
): Promise<VersionPage> {
  const query = {
    versions: '',
    prefix,
    ...(after && { 'key-marker': after.key }),
    ...(after?.versionId && { 'version-id-marker': after.versionId }),
  };
  const wanted = { method: 'GET' as const, key: '', query, mostBytes: mostListBytes };
  const { bytes } = await send(wanted, signal);
  return parseList(bytes.toString('utf8'));
}

async function parseList(text: string): Promise<VersionPage> {
  // Few servers have a bucket.
  const { XMLParser } = await import('fast-xml-parser');
  const xml = new XMLParser({ isArray: (name) => name === 'Version', parseTagValue: false });
  const parsed: unknown = xml.parse(text);
  const list = isObject(parsed) ? parsed['ListVersionsResult'] : undefined;
  // An element without content is read as an empty text.
  if (list === '') return { versions: [], next: undefined };
  if (!isObject(list)) throw new Error('S3 answered something else than a list of versions');
  const found = Array.isArray(list['Version']) ? list['Version'] : [];
  const versions = found.flatMap((entry: unknown) =>
    isObject(entry) ? { key: String(entry['Key']), versionId: String(entry['VersionId']) } : [],
  );
  if (list['IsTruncated'] !== 'true') return { versions, next: undefined };
  const key = String(list['NextKeyMarker'] ?? '');
  const versionId = String(list['NextVersionIdMarker'] ?? '');
  return { versions, next: { key, ...(versionId !== '' && { versionId }) } };
}
