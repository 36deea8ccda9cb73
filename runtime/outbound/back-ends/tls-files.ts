import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import {
  type BackEndTls,
  OutboundError,
  type TlsFault,
  type TlsFile,
} from '#contract/house/outbound';

const files = ['caFile', 'certFile', 'keyFile'] as const;
/** A bundle of all authorities has a quarter of that. */
const mostBytes = 1_048_576;
const pieceBytes = 65_536;
/** A file system that does not answer holds nobody up for longer. */
const mostMs = 2000;

/** Why the file system opens nothing: it is not there, or not for this server. */
const absent = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM']);

/** What the files of TLS hold, by what they are. */
export type TlsContents = Readonly<Partial<Record<TlsFile, Buffer>>>;

/**
 * Read the files of TLS.
 *
 * @throws OutboundError `tls_file` with the first that cannot be used
 */
export async function readTlsFiles(tls: BackEndTls): Promise<TlsContents> {
  const read = await Promise.all(files.map((file) => contentOf(file, tls[file])));
  for (const each of read) if (each !== undefined && 'reason' in each) throw unusable(each);
  return Object.fromEntries(
    read.flatMap((each) =>
      each === undefined || 'reason' in each ? [] : [[each.file, each.content]],
    ),
  );
}

/** Say which files of TLS cannot be used, and why. */
export async function tlsFaults(tls: BackEndTls): Promise<readonly TlsFault[]> {
  const read = await Promise.all(files.map((file) => contentOf(file, tls[file])));
  return read.filter((each) => each !== undefined && 'reason' in each);
}

function unusable({ file, reason }: TlsFault): OutboundError {
  return new OutboundError('tls_file', `its ${file} ${reason}`);
}

interface Content {
  readonly file: TlsFile;
  readonly content: Buffer;
}

async function contentOf(
  file: TlsFile,
  path: string | undefined,
): Promise<Content | TlsFault | undefined> {
  if (path === undefined) return undefined;
  const fault = (reason: string, isThere = true): TlsFault => ({ file, reason, isThere });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<TlsFault>((done) => {
    timer = setTimeout(done, mostMs, fault(`cannot be read within ${mostMs} ms`));
  });
  try {
    const content = await Promise.race([readRegular(path), late]);
    if (typeof content === 'string') return fault(content);
    return Buffer.isBuffer(content) ? { file, content } : content;
  } catch (error) {
    // The message of the file system names the path.
    const { code = '' } = error as NodeJS.ErrnoException;
    return fault('cannot be read here', !absent.has(code));
  } finally {
    clearTimeout(timer);
  }
}

/** The content of a regular file, or why it has none; a pipe or a device is opened without waiting. */
async function readRegular(path: string): Promise<Buffer | string> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) return 'is no regular file';
    if (found.size > mostBytes) return `is larger than ${mostBytes} bytes`;
    // One that has no size, as those of /proc, may never end; they are read in whole pieces.
    const end = mostBytes + pieceBytes - 1;
    const stream = handle.createReadStream({ end, highWaterMark: pieceBytes, autoClose: false });
    const content = Buffer.concat((await stream.toArray()) as Buffer[]);
    if (content.length > mostBytes) return `is larger than ${mostBytes} bytes`;
    return content.length === 0 ? 'is empty' : content;
  } finally {
    await handle.close();
  }
}
