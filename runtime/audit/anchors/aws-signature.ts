import { createHmac, hash } from 'node:crypto';

export interface AwsCredentials {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface UnsignedRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT';
  readonly url: URL;
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** The headers of a request to S3, signed at `now` (AWS Signature Version 4, headers alone). */
export function signedHeaders(
  { method, url, headers, body }: UnsignedRequest,
  { region, accessKeyId, secretAccessKey }: AwsCredentials,
  now: Date,
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const digest = hash('sha256', body, 'hex');
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': digest,
    'x-amz-date': time,
  };
  const names = Object.keys(all).sort();
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url),
    ...names.map((name) => `${name}:${all[name]?.trim()}`),
    '',
    names.join(';'),
    digest,
  ].join('\n');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash('sha256', canonical, 'hex')}`;
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${secretAccessKey}`,
  );
  const signature = hmac(key, toSign).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
  return { ...all, authorization };
}

function canonicalQuery(url: URL): string {
  const pairs = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.sort().join('&');
}

/** RFC 3986 section 2.3: nothing but the unreserved characters stays. */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
