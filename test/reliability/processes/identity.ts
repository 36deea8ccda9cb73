import { live } from '../identity/life.ts';
import { type ServiceOptions, serveIdentity } from '../identity/service.ts';
import { mark, section, stay } from '../marks.ts';

/** Serves the product and leads agents through it until it is killed; tells what was acknowledged. */
const [words = '', round = ''] = process.argv.slice(2);
const options = JSON.parse(words) as ServiceOptions;
await serveIdentity(options);
const issuer = `http://127.0.0.1:${options.port}`;
const { clientKey } = options;
// More would run into the limits of one network, where the kill comes late.
for (let number = 0; number < 10; number += 2) {
  await section(() =>
    Promise.all(
      [number, number + 1].map((each) => {
        const name = `agent-${round}-${each}`;
        const life = { name, issuer, at: () => issuer, clientKey, isRevoked: each % 2 === 0 };
        return live(life, mark);
      }),
    ),
  );
}
stay();
