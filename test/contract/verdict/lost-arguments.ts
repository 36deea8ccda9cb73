import { isObject } from '#contract/json';
import type { Exchange } from '../mock/recorder.ts';

/**
 * The given values that a request does not hold anywhere, as paths: in its address, its headers or
 * its body, each as plain text, percent-encoded, or as JSON writes it.
 */
export function lostArguments(args: unknown, { url, headers, body }: Exchange): string[] {
  const address = decoded(url.replaceAll('+', ' '));
  const texts = [address, decoded(url), ...Object.values(headers).map(String), body.toString()];
  texts.push(decoded(body.toString().replaceAll('+', ' ')));
  return leavesOf(args, '').flatMap(([path, value]) =>
    formsOf(value).some((form) => texts.some((text) => text.includes(form))) ? [] : [path],
  );
}

function leavesOf(value: unknown, path: string): [path: string, leaf: unknown][] {
  if (Array.isArray(value)) return value.flatMap((item, at) => leavesOf(item, `${path}[${at}]`));
  if (!isObject(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, `${path}.${name}`));
}

function formsOf(value: unknown): readonly string[] {
  const text = String(value);
  // Null is written in a body only.
  if (value === null) return ['null', ''];
  const json = JSON.stringify(text).slice(1, -1);
  const forms = [text, json, JSON.stringify(json).slice(1, -1)];
  const isBase64 = /^[A-Za-z0-9+/]{8,}={0,2}$/.test(text) && text.length % 4 === 0;
  return isBase64 ? [...forms, Buffer.from(text, 'base64').toString()] : forms;
}

function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}
