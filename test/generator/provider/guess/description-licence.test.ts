import assert from 'node:assert/strict';
import test from 'node:test';
import { descriptionLicence } from '../../../../generator/provider/draft/description-licence.ts';
import { documentOf } from './described.ts';

for (const [license, expected] of [
  [{ name: 'BSD', url: 'http://opensource.org/licenses/BSD-3-Clause' }, 'BSD-3-Clause'],
  [
    {
      name: 'Creative Commons Attribution 4.0 International Public License',
      url: 'https://creativecommons.org/licenses/by/4.0/',
    },
    'CC-BY-4.0',
  ],
  [{ name: 'ASL', url: 'https://www.apache.org/licenses/LICENSE-2.0.html' }, 'Apache-2.0'],
  [{ name: 'Apache2' }, 'Apache-2.0'],
  [{ name: 'Apache v2.0' }, 'Apache-2.0'],
  [{ name: 'Open', url: 'https://opensource.org/licenses/MIT-0-like' }, undefined],
  [{ name: 'CC', url: 'https://creativecommons.org/licenses/by-nd/3.0/' }, undefined],
  [{ name: 'BSD', url: 'https://acme.example/opensource.org/licenses/MIT' }, undefined],
] as const) {
  test(`the licence ${JSON.stringify(license)} is ${expected ?? 'none that is known'}`, () => {
    const info = { title: 'X', version: '1', license };
    assert.equal(descriptionLicence(documentOf({ info })), expected);
  });
}
