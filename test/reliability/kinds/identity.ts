import { type Campaign, freshFolder } from '../engine.ts';
import { checkPromises, lasting } from '../identity/promises.ts';
import { chooseService, serveIdentity } from '../identity/service.ts';
import { Moments } from '../moments.ts';
import { type Figures, Tally } from '../tally.ts';
import { runAndKill } from '../victim.ts';

/**
 * Kills while agents register, are claimed, get tokens, refresh and are revoked: nothing that was
 * acknowledged is lost, nothing that was revoked comes back, nothing is used twice.
 */
export async function claimsAndTokens(campaign: Campaign): Promise<Figures> {
  const { engine, random, rounds } = campaign;
  const tally = new Tally(engine.name, 'claims and tokens');
  const moments = new Moments(random, 3);
  const { databaseUrl } = await engine.database();
  const dataDir = `${freshFolder(campaign)}/data`;
  const options = await chooseService({ dataDir, databaseUrl });
  const acknowledged = new Set<string>();
  const kept: string[] = [];
  let earlier: readonly (readonly string[])[] = [];
  for (let round = 0; round < rounds; round++) {
    const victim = await runAndKill('identity', [JSON.stringify(options), String(round)], moments);
    tally.killed(victim);
    const stop = await serveIdentity(options);
    tally.count('restarts');
    const base = `http://127.0.0.1:${options.port}`;
    const found = await checkPromises(base, victim.marks);
    for (const name of found.acknowledged) acknowledged.add(name);
    kept.push(...found.kept);
    // What ended in the round before has now lived through one kill more.
    const again = await checkPromises(base, earlier);
    const forgotten = again.acknowledged.filter((name) => !again.kept.includes(name));
    const twice = again.kept.filter((name, place) => again.kept.indexOf(name) !== place);
    tally.verify([...forgotten, ...twice]);
    earlier = lasting(victim.marks);
    await stop();
  }
  tally.compare(acknowledged, kept);
  return tally.figures;
}
