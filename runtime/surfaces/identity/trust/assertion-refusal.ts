/** Why an assertion of somebody else is not taken; its code is one of those of registration. */
export class AssertionRefused extends Error {
  readonly code:
    | 'invalid_request'
    | 'issuer_not_enabled'
    | 'invalid_signature'
    | 'expired'
    | 'replay_detected'
    | 'invalid_audience'
    | 'invalid_client_id'
    | 'missing_verified_email'
    | 'login_required';

  constructor(code: AssertionRefused['code'], message: string) {
    super(message);
    this.name = 'AssertionRefused';
    this.code = code;
  }
}
