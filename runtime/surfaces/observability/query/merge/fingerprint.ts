/** A short name of a text among those of its time (FNV-1a, 32 bits). */
export function fingerprintOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const unit of Buffer.from(text)) hash = Math.imul(hash ^ unit, 0x01000193);
  return (hash >>> 0).toString(36);
}
