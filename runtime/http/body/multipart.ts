import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { ServiceError } from '#contract/errors';
import type { UploadedFile, WantedFile } from '#contract/surface/route-file';
import { held } from './collect.ts';
import { type FormReading, formValues } from './form.ts';
import { matching } from './media-type.ts';
import { MultipartBody } from './multipart-body.ts';

/** What a multipart body may hold, and how much of it. */
export interface MultipartReading extends FormReading {
  readonly files: Readonly<Record<string, WantedFile>>;
  /** Most bytes of the whole body. */
  readonly limit: number;
}

const mostFiles = 50;
const mostFields = 1000;
const mostHeaders = 20;

/**
 * Read a body of multipart/form-data (RFC 7578) into memory.
 *
 * @throws ServiceError for what is malformed, too much, or not asked for
 */
export async function readMultipart(
  payload: IncomingMessage,
  contentType: string,
  reading: MultipartReading,
): Promise<MultipartBody> {
  const { limit } = reading;
  const parser = parserOf(contentType, limit);
  const fields: [string, string][] = [];
  const files = new Map<string, UploadedFile[]>();
  parser.on('field', (name, value, isNameCut, isValueCut) => {
    if (isNameCut || isValueCut) parser.destroy(refused(`a field of the form is too long`));
    else fields.push([name, value]);
  });
  parser.on('file', (name, stream, fileName, _encoding, mediaType) => {
    // Whatever is wrong, the stream must be emptied for the parser to go on.
    const take = (problem: ServiceError | undefined, bytes: Uint8Array) => {
      if (problem) parser.destroy(problem);
      else put(files, name, { name: fileName ?? '', mediaType, bytes });
    };
    const wanted = Object.hasOwn(reading.files, name) ? reading.files[name] : undefined;
    readFile(stream, checkFile(name, wanted, mediaType), wanted?.maxBytes ?? limit, name, take);
  });
  for (const [event, what] of [
    ['filesLimit', `${mostFiles} files`],
    ['fieldsLimit', `${mostFields} fields`],
  ] as const) {
    parser.on(event, () => parser.destroy(refused(`a form has at most ${what}`)));
  }
  try {
    await pipeline(held(payload, limit), parser);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw refused(`the body is no valid multipart/form-data: ${(error as Error).message}`);
  }
  return new MultipartBody(formValues(fields, reading), filesOf(files, reading.files));
}

function parserOf(contentType: string, limit: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        fields: mostFields,
        files: mostFiles,
        fieldSize: limit,
        fileSize: limit,
        headerPairs: mostHeaders,
      },
    });
  } catch (error) {
    throw refused(`the body cannot be read: ${(error as Error).message}`);
  }
}

function readFile(
  stream: BusboyFileStream,
  problem: ServiceError | undefined,
  limit: number,
  name: string,
  done: (problem: ServiceError | undefined, bytes: Uint8Array) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= limit) chunks.push(chunk);
  });
  stream.on('error', () => {});
  stream.on('end', () => {
    const large = `the file ${JSON.stringify(name)} is larger than ${limit} bytes`;
    const tooMuch = length > limit ? new ServiceError('body_too_large', 413, large) : undefined;
    done(problem ?? tooMuch, Buffer.concat(chunks));
  });
}

function checkFile(
  name: string,
  wanted: WantedFile | undefined,
  mediaType: string,
): ServiceError | undefined {
  const shown = JSON.stringify(name.slice(0, 80));
  if (!wanted) return refused(`${shown} is no file that this form takes`);
  const { types } = wanted;
  const known = types && Object.fromEntries(types.map((type) => [type, true]));
  if (!known || matching(known, mediaType.toLowerCase())) return undefined;
  const message = `the file ${shown} must be ${types.join(' or ')}, but it is ${mediaType.slice(0, 80)}`;
  return new ServiceError('unsupported_media_type', 415, message);
}

function put(files: Map<string, UploadedFile[]>, name: string, file: UploadedFile): void {
  const known = files.get(name);
  if (known) known.push(file);
  else files.set(name, [file]);
}

function filesOf(
  files: ReadonlyMap<string, readonly UploadedFile[]>,
  wanted: MultipartReading['files'],
): MultipartBody['files'] {
  return Object.fromEntries(
    Array.from(files, ([name, all]) => {
      if (wanted[name]?.many) return [name, all];
      const [only, second] = all;
      if (!only || second) throw refused(`the file ${JSON.stringify(name)} must come once`);
      return [name, only];
    }),
  );
}

function refused(message: string): ServiceError {
  return new ServiceError('invalid_arguments', 400, message);
}
