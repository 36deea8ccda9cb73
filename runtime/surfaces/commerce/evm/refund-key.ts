import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { ConfigError } from '#contract/config/config';

/** @throws ConfigError where it is no key, or that of another account than the one that is paid */
export function requireRefundKey(key: string, payTo: string | undefined): void {
  const isKey = /^0x[0-9a-fA-F]{64}$/.test(key);
  const address = isKey ? privateKeyToAccount(key as Hex).address : undefined;
  if (address !== undefined && address.toLowerCase() === payTo?.toLowerCase()) return;
  const variable = 'SERVICE_X402_REFUND_PRIVATE_KEY';
  const expected = 'the private key of SERVICE_X402_PAY_TO, 32 bytes in hexadecimal after 0x';
  const received = isKey ? 'that of another account' : 'something else';
  throw new ConfigError([{ variable, expected, received }]);
}
