import { createHmac } from 'node:crypto';
import { busInvalid } from '#contract/bus/faults';

/** How the places of one stream are told to one tenant, and what is meant by what it says. */
export interface PlaceNumbers {
  told(place: number): number;
  /** @throws ServiceError `invalid_params` for a number that was never told */
  meant(field: string, number: number): number;
}

/** Places as they are, where nobody else is counted. */
export const plainNumbers: PlaceNumbers = {
  told: (place) => place,
  meant: (_, number) => number,
};

/** Half of the bits of a number that JSON carries as it is (RFC 8259 section 6). */
const halfBits = 26;
const half = 2 ** halfBits;
const rounds = 8;
/** No stream has so many messages; what stands for more was made up. */
const mostPlaces = 2 ** 40;

/**
 * Numbers that say no more than which place they are. Streams count the events of all tenants: from
 * two places of its own, a tenant would know how much the others have done in between. Each tenant
 * has a permutation of its own (a Feistel network; NIST SP 800-38G is of this kind), which is the same
 * at all replicas. 0 stays "none", and 1 the beginning.
 */
export function disguisedNumbers(key: Buffer, tenant: string, stream: string): PlaceNumbers {
  const mixed = (round: number, value: number): number =>
    createHmac('sha256', key)
      .update(JSON.stringify([tenant, stream, round, value]))
      .digest()
      .readUInt32BE() % half;
  const forth = (place: number): number => {
    let [left, right] = [Math.floor(place / half), place % half];
    for (let round = 0; round < rounds; round++) {
      [left, right] = [right, left ^ mixed(round, right)];
    }
    return left * half + right;
  };
  const back = (number: number): number => {
    let [left, right] = [Math.floor(number / half), number % half];
    for (let round = rounds - 1; round >= 0; round--) {
      [left, right] = [right ^ mixed(round, left), left];
    }
    return left * half + right;
  };
  return {
    told(place) {
      if (place === 0) return 0;
      // 0 and 1 are left out on both sides, so that it stays a permutation.
      let number = forth(place + 1);
      while (number < 2) number = forth(number);
      return number;
    },
    meant(field, number) {
      if (number < 2) return number;
      let shifted = number < half * half ? back(number) : mostPlaces;
      while (shifted < 2) shifted = back(shifted);
      if (shifted < mostPlaces) return shifted - 1;
      throw busInvalid(field, 'a number that a tool of the event bus has given', String(number));
    },
  };
}
