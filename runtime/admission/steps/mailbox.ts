const atom = String.raw`[\w!#$%&'*+/=?^{|}~\x60-]+`;
const quoted = String.raw`"(?:[^"\\\p{Cc}]|\\[ -~])*"`;
const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const address = String.raw`\[(?:\d{1,3}(?:\.\d{1,3}){3}|IPv6:[\da-fA-F:.]+)\]`;

/** A mailbox (RFC 5321, section 4.1.2): also one of a host without a dot, of an address, and with a name in quotes. */
export const mailbox = new RegExp(
  String.raw`^(?:${atom}(?:\.${atom})*|${quoted})@(?:${label}(?:\.${label})*|${address})$`,
  'u',
);
