import { encodeFunctionData, type Hex, type PublicClient, parseSignature } from 'viem';
import { clockSlackMs, pollingMs, receiptTimeoutMs } from '../numbers.ts';
import type { Outgoing } from '../sending/outgoing.ts';
import { Purses, TooLittle } from '../sending/purses.ts';
import { type Sent, Unsent } from '../sending/sender.ts';
import { Senders } from '../sending/senders.ts';
import { sentOf } from '../sending/sent-payment.ts';
import { ChainWatch, hasMoved } from './chain-watch.ts';
import type { ChainFault } from './faults.ts';
import { settleCall } from './permit-call.ts';
import { permitDiagnosis } from './permit-diagnosis.ts';
import type { ChainPayment, Settlement, Settler } from './settler.ts';
import { messageOf } from './signer-of.ts';
import { partsAbi, tokenAbi } from './token-abi.ts';

export interface LocalSettlerSettings {
  readonly chainId: number;
  /** Of the accounts that pay the gas, each 32 bytes in hexadecimal. */
  readonly gasKeys: readonly Hex[];
}

/** Settles payments itself: through a node, from accounts that pay the gas. */
export class LocalSettler implements Settler {
  readonly #client: PublicClient;
  readonly #senders: Senders;
  readonly #watch: ChainWatch;
  readonly #purses: Purses;

  constructor(client: PublicClient, { chainId, gasKeys }: LocalSettlerSettings) {
    this.#client = client;
    this.#senders = new Senders(client, gasKeys, { chainId });
    this.#watch = new ChainWatch(client);
    this.#purses = new Purses(client);
  }

  async verify(payment: ChainPayment): Promise<ChainFault | undefined> {
    const { from: account = this.#senders.address, ...call } = transferOf(payment);
    try {
      await this.#client.call({ account, ...call });
      return undefined;
    } catch (error) {
      return this.#diagnosis(payment, error);
    }
  }

  async reserve({ authorization, requirements }: ChainPayment): Promise<(() => void) | undefined> {
    const { from: payer, nonce, value: most } = authorization;
    const spent = { asset: requirements.asset, payer, nonce, value: BigInt(most) };
    return this.#purses.take(spent).catch((error: unknown) => {
      // What else is wrong, whoever verifies the payment hears.
      return error instanceof TooLittle ? undefined : () => {};
    });
  }

  async settle(payment: ChainPayment, signal?: AbortSignal): Promise<Settlement> {
    let sent: Sent;
    try {
      sent = await this.#send(payment, signal);
    } catch (error) {
      return this.#refusal(payment, error, signal);
    }
    const { hash: transaction, receipt } = sent;
    if (receipt === undefined) return { kind: 'pending', transaction };
    if (receipt.status !== 'success') {
      return this.#refusal(payment, new Error('it was reverted'), signal);
    }
    return hasMoved(sentOf(payment), receipt)
      ? { kind: 'settled', transaction }
      : { kind: 'refused', fault: 'invalid_exact_evm_transfer_event_mismatch' };
  }

  async #send(payment: ChainPayment, signal: AbortSignal | undefined): Promise<Sent> {
    const { asset, payer, nonce, amount } = sentOf(payment);
    const end = await this.#purses.take({ asset, payer, nonce, value: BigInt(amount) });
    try {
      return await this.#senders.send(transferOf(payment), payment.confirmations, signal);
    } finally {
      end();
    }
  }

  /**
   * Somebody else may have sent the same order first: the money has arrived all the same. Where nothing
   * was sent yet, that is what it has bought elsewhere.
   */
  async #refusal(
    payment: ChainPayment,
    error: unknown,
    signal: AbortSignal | undefined,
  ): Promise<Settlement> {
    const end = performance.now() + receiptTimeoutMs;
    const slackMs = error instanceof Unsent ? 0 : clockSlackMs;
    for (;;) {
      const state = await this.#watch.look(sentOf(payment), slackMs).catch(() => undefined);
      if (state === undefined) return { kind: 'pending', transaction: '' };
      if (state.kind === 'taken') return { kind: 'settled', transaction: state.transaction };
      if (state.kind !== 'unconfirmed') {
        return { kind: 'refused', fault: await this.#diagnosis(payment, error) };
      }
      const { transaction } = state;
      if (performance.now() > end || signal?.aborted) return { kind: 'pending', transaction };
      await new Promise((resolve) => setTimeout(resolve, pollingMs));
    }
  }

  /** Why the chain does not take a payment. */
  async #diagnosis(payment: ChainPayment, error: unknown): Promise<ChainFault> {
    const { authorization, requirements } = payment;
    const { permit } = authorization;
    if (permit !== undefined) {
      return permitDiagnosis(this.#client, { ...authorization, permit }, error);
    }
    const address = requirements.asset as Hex;
    const { from, nonce, value } = messageOf(authorization);
    const read = { address, abi: tokenAbi } as const;
    try {
      const code = await this.#client.getCode({ address });
      if (code === undefined || code === '0x') return 'asset_not_deployed_contract';
      const [isUsed, balance, name, version] = await Promise.allSettled([
        this.#client.readContract({
          ...read,
          functionName: 'authorizationState',
          args: [from, nonce],
        }),
        this.#client.readContract({ ...read, functionName: 'balanceOf', args: [from] }),
        this.#client.readContract({ ...read, functionName: 'name' }),
        this.#client.readContract({ ...read, functionName: 'version' }),
      ]);
      if (isUsed.status === 'rejected') return 'invalid_exact_evm_eip3009_not_supported';
      if (isUsed.value) return 'invalid_exact_evm_nonce_already_used';
      if (balance.status === 'fulfilled' && balance.value < value) {
        return 'invalid_exact_evm_insufficient_balance';
      }
      const { extra } = requirements;
      if (name.status === 'fulfilled' && name.value !== extra.name) {
        return 'invalid_exact_evm_token_name_mismatch';
      }
      if (version.status === 'fulfilled' && version.value !== extra.version) {
        return 'invalid_exact_evm_token_version_mismatch';
      }
    } catch {
      return 'unexpected_verify_error';
    }
    return /revert/i.test(String(error))
      ? 'invalid_exact_evm_transaction_simulation_failed'
      : 'unexpected_verify_error';
  }
}

/** The call that moves the money: of the token, or of what asks Permit2. */
function transferOf({ authorization, requirements, charge }: ChainPayment): Outgoing {
  const { permit } = authorization;
  if (permit !== undefined) {
    const call = settleCall({ ...authorization, permit }, charge ?? authorization.value);
    const { facilitator } = permit;
    return { ...call, ...(facilitator !== undefined && { from: facilitator as Hex }) };
  }
  const { from, to, value, validAfter, validBefore, nonce } = messageOf(authorization);
  const signature = authorization.signature as Hex;
  const args = [from, to, value, validAfter, validBefore, nonce] as const;
  const functionName = 'transferWithAuthorization';
  const { r, s, v, yParity } = parseSignature(signature);
  const last = Number(v ?? BigInt(yParity + 27));
  const data = encodeFunctionData({ abi: partsAbi, functionName, args: [...args, last, r, s] });
  return { to: requirements.asset as Hex, data };
}
