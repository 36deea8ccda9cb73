import type { TreeHead } from '../verify/verify.ts';

const mostHashes = 63;

/** What a log asks of its witness (C2SP tlog-witness, add-checkpoint). */
export interface WitnessRequest {
  /** Entries of the checkpoint that was cosigned last, as the log believes. */
  readonly old: number;
  readonly proof: readonly Uint8Array[];
  readonly checkpoint: SubmittedCheckpoint;
}

/** A checkpoint whose signatures nobody has looked at yet. */
export interface SubmittedCheckpoint extends TreeHead {
  readonly origin: string;
  /** What is signed, the last newline included. */
  readonly text: string;
  readonly signatures: readonly string[];
}

/** Parse the body of add-checkpoint; `undefined` unless it is one to the letter. */
export function parseWitnessRequest(body: string): WitnessRequest | undefined {
  const end = body.indexOf('\n\n');
  const [first = '', ...lines] = body.slice(0, Math.max(end, 0)).split('\n');
  const old = parseSize(/^old (\d{1,16})$/.exec(first)?.[1]);
  const checkpoint = parseSubmitted(body.slice(end + 2));
  const proof = lines.map(parseHash);
  if (old === undefined || checkpoint === undefined || proof.length > mostHashes) return undefined;
  const hashes = proof.filter((hash) => hash !== undefined);
  return hashes.length === proof.length ? { old, proof: hashes, checkpoint } : undefined;
}

/** A checkpoint, whose log may have added lines of its own (C2SP tlog-checkpoint, extension lines). */
function parseSubmitted(note: string): SubmittedCheckpoint | undefined {
  const end = note.indexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) return undefined;
  const text = note.slice(0, end + 1);
  const signatures = note.slice(end + 2, -1).split('\n');
  const [origin = '', size, root, ...extensions] = text.slice(0, -1).split('\n');
  const wholeSize = parseSize(size);
  const hash = parseHash(root ?? '');
  const sound = signatures.every((line) => /^— [^\s+]+ [A-Za-z0-9+/]+={0,2}$/.test(line));
  if (origin === '' || wholeSize === undefined || hash === undefined || !sound) return undefined;
  if (extensions.includes('') || hasControls(note)) return undefined;
  return { origin, size: wholeSize, root: hash, text, signatures };
}

/** Decimal without leading zeros. */
function parseSize(text: string | undefined): number | undefined {
  const size = /^(?:0|[1-9]\d{0,15})$/.test(text ?? '') ? Number(text) : Number.NaN;
  return Number.isSafeInteger(size) ? size : undefined;
}

function parseHash(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 && bytes.toString('base64') === text ? bytes : undefined;
}

/** A note has no ASCII control characters but newlines (C2SP signed-note, Format). */
function hasControls(note: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return /[\u0000-\u0009\u000b-\u001f]/.test(note);
}
