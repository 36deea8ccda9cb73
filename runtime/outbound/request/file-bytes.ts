import { refusedValue } from '#contract/text/refused-value';

/**
 * The bytes of a file that a caller has given in base64, which programs write in lines (RFC 2045, section 6.8).
 *
 * @throws ToolError `invalid_arguments` where it is larger than `most` bytes, or no base64
 */
export function decodeFile(base64: string, most: number): Buffer {
  // Four characters carry three bytes (RFC 4648 section 4).
  const unacceptable = (reason: string) => refusedValue(base64, `the file ${reason}`);
  if ((base64.length / 4) * 3 > most + 3) throw unacceptable(`is larger than ${most} bytes`);
  if (/^data:/i.test(base64)) {
    throw unacceptable('is a data URL: give what stands behind the comma of it');
  }
  const [, characters] = /^([A-Za-z0-9+/_-]*)={0,2}$/.exec(base64.replaceAll(/[\r\n]/g, '')) ?? [];
  // One character alone carries no byte: the text has been cut off.
  if (characters === undefined || characters.length % 4 === 1) throw unacceptable('is not base64');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > most) throw unacceptable(`is larger than ${most} bytes`);
  return bytes;
}
