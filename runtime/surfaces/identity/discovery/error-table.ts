/** An error as an agent meets it, and what it does then. */
export interface AgentError {
  readonly error: string;
  readonly status: number;
  readonly action: string;
}

/** Errors of registration and claim, for the instructions. */
export const agentErrors: readonly AgentError[] = [
  {
    error: 'invalid_request',
    status: 400,
    action: 'Put the request right; the message says what was expected',
  },
  { error: 'invalid_scope', status: 400, action: 'Ask for scopes of the list below alone' },
  {
    error: 'anonymous_not_enabled',
    status: 400,
    action: 'Use another type of identity_types_supported',
  },
  {
    error: 'service_auth_not_enabled',
    status: 400,
    action: 'Use another type of identity_types_supported',
  },
  { error: 'issuer_not_enabled', status: 400, action: 'Register with service_auth instead' },
  {
    error: 'invalid_login_hint',
    status: 400,
    action: 'Ask your user for their e-mail address, and send that',
  },
  { error: 'invalid_signature', status: 400, action: 'Get a new ID-JAG from your provider' },
  { error: 'expired', status: 400, action: 'Get a new ID-JAG from your provider' },
  { error: 'replay_detected', status: 400, action: 'Get a new ID-JAG; each is taken once' },
  {
    error: 'invalid_audience',
    status: 400,
    action: 'Ask your provider for an ID-JAG with this server as its audience',
  },
  {
    error: 'invalid_client_id',
    status: 400,
    action: 'Ask your provider for an ID-JAG that names the client as which you are known to it',
  },
  {
    error: 'missing_verified_email',
    status: 400,
    action: 'Register with service_auth instead; your provider has not verified the address',
  },
  { error: 'registration_not_allowed', status: 403, action: 'Register with service_auth instead' },
  {
    error: 'login_required',
    status: 401,
    action: 'Let your user sign in at your provider again, then get a new ID-JAG',
  },
  {
    error: 'interaction_required',
    status: 401,
    action: 'Go on with the claim ceremony in the answer',
  },
  { error: 'invalid_refresh_token', status: 400, action: 'Register again' },
  { error: 'invalid_claim_token', status: 401, action: 'Register again' },
  { error: 'invalid_claim', status: 400, action: 'Register again' },
  {
    error: 'auth_method_disabled',
    status: 403,
    action: 'Go on without a claim: nobody can sign in at this server',
  },
  {
    error: 'invalid_user_code',
    status: 401,
    action: 'Ask your user for the code again; attempts_remaining says how often',
  },
  {
    error: 'claim_not_confirmed',
    status: 409,
    action: 'Wait until your user has confirmed on the page',
  },
  { error: 'already_claimed', status: 409, action: 'Use the assertion that you have' },
  {
    error: 'user_code_expired',
    status: 410,
    action: 'Ask for a new attempt at the claim endpoint',
  },
  { error: 'claim_expired', status: 410, action: 'Register again' },
  { error: 'claim_revoked', status: 410, action: 'Stop: your user has taken the access back' },
  { error: 'claim_denied', status: 403, action: 'Stop: your user has said no' },
  {
    error: 'too_many_attempts',
    status: 429,
    action: 'Ask for a new attempt at the claim endpoint',
  },
  {
    error: 'idempotency_conflict',
    status: 422,
    action: 'Take a new Idempotency-Key: this one came with another request before',
  },
  {
    error: 'idempotency_replayed',
    status: 409,
    action: 'Secrets are told once: register again with a new Idempotency-Key',
  },
  {
    error: 'slow_down',
    status: 429,
    action: 'Ask less often: wait for as long as Retry-After says',
  },
  { error: 'rate_limited', status: 429, action: 'Wait for as long as Retry-After says' },
  { error: 'temporarily_unavailable', status: 503, action: 'Wait for as long as Retry-After says' },
];
