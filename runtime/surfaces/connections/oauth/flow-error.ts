/**
 * Why a vendor gave no token: `refused` is its last word on what was brought to it, `foreign` means
 * that the answer is not from the vendor that was asked, `failed` anything that may pass.
 */
export type FlowFault = 'refused' | 'foreign' | 'failed';

/** Its message is for the log. */
export class FlowError extends Error {
  readonly fault: FlowFault;

  constructor(fault: FlowFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'FlowError';
    this.fault = fault;
  }
}
