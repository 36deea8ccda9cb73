import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonFault } from '#contract/text/json-fault';

const faults: readonly (readonly [string, string | undefined])[] = [
  ['{"a":1}', undefined],
  ['\ufeff{"a":1}', undefined],
  ['', 'it is empty'],
  ['\ufeff', 'it is empty'],
  ['{"a":', 'it ends too early, after 5 characters'],
  ['{"a":1,}', 'it is wrong after 7 characters'],
  ['{\n  "a": 1,\r\n}', 'it is wrong in line 3, column 1'],
  // The parser names no place here.
  ['{"a":NaN}', 'it is wrong after 5 characters'],
  ['{"a":1', 'it ends too early, after 6 characters'],
  ['{"a":"b', 'it ends too early, after 7 characters'],
  ['[1,2', 'it ends too early, after 4 characters'],
  ['{"a":tru', 'it ends too early, after 8 characters'],
  ["{'a':1}", 'it is wrong after 1 characters'],
  [`[${'1,'.repeat(20_000)}None]`, 'it is wrong after 40001 characters'],
  [`[${'1,'.repeat(50_000)}None]`, 'it is something else'],
  ['<!DOCTYPE html><p>', 'it is an HTML page'],
  [' \n<html lang="en">', 'it is an HTML page'],
  ['<?xml version="1.0"?><a/>', 'it is XML'],
  ['<soap:Envelope/>', 'it is XML'],
  ['--- \na: 1', 'it is YAML'],
  ['name=a&key=s3cret', 'it is a form, such as a=1&b=2'],
  ['s3cret', 'it begins with "s"'],
  [' "', 'it ends too early, after 2 characters'],
  ["'a'", 'it begins with "\'"'],
  ['\u202e\u0000x', 'it begins with U+202E'],
  ['\ud83d\ude00', 'it begins with U+1F600'],
  ['\0\u0001', 'it begins with U+0000'],
];

for (const [text, words] of faults) {
  test(`${JSON.stringify(text.slice(0, 40))}: ${words ?? 'is JSON'}`, () => {
    assert.equal(jsonFault(text), words);
  });
}
