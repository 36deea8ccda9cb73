import assert from 'node:assert/strict';
import test from 'node:test';
import { parseTilePath } from '../../../runtime/surfaces/audit/tile-path.ts';

const paths: readonly (readonly [string, ReturnType<typeof parseTilePath>])[] = [
  ['000', { index: 0 }],
  ['067', { index: 67 }],
  ['x001/000', { index: 1000 }],
  ['x001/x234/067', { index: 1_234_067 }],
  ['x001/x234/067.p/8', { index: 1_234_067, width: 8 }],
  ['000.p/255', { index: 0, width: 255 }],
];
for (const [path, address] of paths) {
  test(`${path} is a tile (C2SP tlog-tiles, Parameters)`, () => {
    assert.deepEqual(parseTilePath(path), address);
  });
}

const others = [
  '',
  '0',
  '67',
  '0067',
  'x000/067',
  '001/234',
  'x001/x234/x067',
  'x001/234/067',
  '067.p/0',
  '067.p/256',
  '067.p/08',
  '067.p/',
  '067.p',
  '067/',
  '/067',
  `${'x999/'.repeat(6)}999`,
  '٠٦٧',
  '../000',
];
for (const path of others) {
  test(`${JSON.stringify(path)} is no tile: each has one path only`, () => {
    assert.equal(parseTilePath(path), undefined);
  });
}
