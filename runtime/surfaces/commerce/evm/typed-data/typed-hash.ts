import { type Hex, isAddress, keccak256, stringToBytes } from 'viem';

/** The types of what is signed, by their names (EIP-712). */
export type Types = Readonly<
  Record<string, readonly { readonly name: string; readonly type: string }[]>
>;

export type Message = Readonly<Record<string, unknown>>;

/** Write a member into the 32 bytes that it has. */
type Write = (value: unknown, word: Buffer) => void;

/** All that orders to pay are made of. */
const writers: Readonly<Record<string, Write>> = {
  address(value, word) {
    // Its letters say with their case whether it was mistyped, wherever there are both cases.
    if (!isAddress(String(value))) throw new TypeError(`no address: ${value}`);
    word.write(String(value).slice(2), 12, 'hex');
  },
  bytes32: (value, word) => word.write(String(value).slice(2), 'hex'),
  uint256: (value, word) => word.write((value as bigint).toString(16).padStart(64, '0'), 'hex'),
};

/**
 * Make what hashes messages of a type (EIP-712, hashStruct). All that is the same for all of them is
 * done here, once.
 */
export function typedHash(types: Types, name: string): (message: Message) => Uint8Array {
  const typeHash = keccak256(stringToBytes(encodedType(types, name)), 'bytes');
  const members = (types[name] ?? []).map(({ name: member, type }) => {
    return { member, write: writers[type] ?? writeHash(typedHash(types, type)) };
  });
  const bytes = 32 * (members.length + 1);
  return (message) => {
    const words = Buffer.alloc(bytes);
    words.set(typeHash);
    let end = 32;
    for (const { member, write } of members) {
      write(message[member], words.subarray(end, end + 32));
      end += 32;
    }
    return keccak256(words, 'bytes');
  };
}

/** What is signed of a message: that it is typed data, where it is meant for, and itself. */
export function signedDigest(domain: Hex, message: Uint8Array): Uint8Array {
  return keccak256(Buffer.concat([Buffer.from(`1901${domain.slice(2)}`, 'hex'), message]), 'bytes');
}

function writeHash(hash: (message: Message) => Uint8Array): Write {
  return (value, word) => word.set(hash(value as Message));
}

function encodedType(types: Types, name: string): string {
  const others = [...within(types, name)].filter((each) => each !== name).sort();
  return [name, ...others]
    .map((each) => {
      const members = types[each]?.map(({ name: member, type }) => `${type} ${member}`);
      return `${each}(${members?.join(',')})`;
    })
    .join('');
}

function within(types: Types, name: string): Set<string> {
  const own = types[name] ?? [];
  return new Set(own.flatMap(({ type }) => (types[type] ? [type, ...within(types, type)] : [])));
}
