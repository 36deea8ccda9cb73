/** What can be wrong with a payment on EVM chains (x402 v2, schemes exact and upto). */
export type ChainFault =
  | PermitFault
  | 'invalid_exact_evm_signature'
  | 'eip6492_factory_not_allowed'
  | 'invalid_exact_evm_recipient_mismatch'
  | 'invalid_exact_evm_payload_authorization_valid_before'
  | 'invalid_exact_evm_payload_authorization_valid_after'
  | 'invalid_exact_evm_payload_authorization_value_mismatch'
  | 'invalid_exact_evm_nonce_already_used'
  | 'invalid_exact_evm_insufficient_balance'
  | 'invalid_exact_evm_token_name_mismatch'
  | 'invalid_exact_evm_token_version_mismatch'
  | 'invalid_exact_evm_eip3009_not_supported'
  | 'invalid_exact_evm_transaction_simulation_failed'
  | 'invalid_exact_evm_transaction_failed'
  | 'invalid_exact_evm_transfer_event_mismatch'
  | 'asset_not_deployed_contract'
  | 'unexpected_verify_error'
  | 'unexpected_settle_error';

/** The same of an order to Permit2. */
export type PermitFault =
  | 'invalid_permit2_spender'
  | 'invalid_permit2_recipient_mismatch'
  | 'permit2_deadline_expired'
  | 'permit2_not_yet_valid'
  | 'permit2_amount_mismatch'
  | 'permit2_token_mismatch'
  | 'invalid_permit2_signature'
  | 'permit2_allowance_required'
  | 'permit2_insufficient_balance'
  | 'permit2_invalid_nonce'
  | 'permit2_proxy_not_deployed'
  | 'permit2_simulation_failed'
  | 'upto_facilitator_mismatch'
  | 'invalid_upto_evm_payload_settlement_exceeds_amount';

/** Problem types of MPP, without what stands before them (draft-httpauth-payment-00, section 8). */
export type ProblemType =
  | 'payment-required'
  | 'malformed-credential'
  | 'invalid-challenge'
  | 'verification-failed'
  | 'payment-insufficient'
  | 'payment-expired'
  | 'invalid-payload'
  | 'payment-action-required';

/** The same fault in the words of MPP. */
export function problemTypeOf(fault: string): ProblemType {
  switch (fault) {
    case 'invalid_exact_evm_payload_authorization_valid_before':
    case 'permit2_deadline_expired':
      return 'payment-expired';
    case 'invalid_exact_evm_payload_authorization_value_mismatch':
    case 'invalid_exact_evm_insufficient_balance':
    case 'insufficient_funds':
    case 'permit2_amount_mismatch':
    case 'permit2_insufficient_balance':
    case 'permit2_allowance_required':
      return 'payment-insufficient';
    default:
      return 'verification-failed';
  }
}
