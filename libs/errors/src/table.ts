/** How a code travels over gRPC. HTTP status is looked up by code, never derived from this. */
type GrpcStatus =
  | 'INVALID_ARGUMENT'
  | 'UNAUTHENTICATED'
  | 'PERMISSION_DENIED'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'FAILED_PRECONDITION'
  | 'ABORTED'
  | 'RESOURCE_EXHAUSTED'
  | 'UNIMPLEMENTED'
  | 'UNAVAILABLE'
  | 'INTERNAL'

interface ErrorRow {
  readonly http: 400 | 401 | 402 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 429 | 500 | 501 | 503
  readonly grpc: GrpcStatus
  readonly message: string
}

const row = (http: ErrorRow['http'], grpc: GrpcStatus, message: string): ErrorRow => ({ http, grpc, message })

/** Every error that a client can see: code, HTTP status, gRPC status and default message, once. */
export const ERRORS = {
  validation_error: row(400, 'INVALID_ARGUMENT', 'The request is not valid.'),
  unknown_parameter: row(400, 'INVALID_ARGUMENT', 'The request has a query parameter that is not known here.'),
  missing_pickup_time: row(400, 'INVALID_ARGUMENT', 'standardized.scheduled_pickup_at is required.'),
  missing_delivery_window: row(400, 'INVALID_ARGUMENT', 'The start and the end of the delivery window are required.'),
  invalid_pickup_time: row(400, 'INVALID_ARGUMENT', 'The pickup time is not valid.'),
  invalid_delivery_window: row(400, 'INVALID_ARGUMENT', 'The delivery window is not valid.'),
  invalid_webhook_url: row(400, 'INVALID_ARGUMENT', 'The webhook URL must be a public https address.'),
  invalid_token: row(400, 'INVALID_ARGUMENT', 'The token is not valid.'),
  outside_coverage: row(400, 'FAILED_PRECONDITION', 'The point is outside the area that the platform serves.'),
  pickup_outside_coverage: row(400, 'FAILED_PRECONDITION', 'The pickup is outside the area that is served.'),
  delivery_already_succeeded: row(400, 'FAILED_PRECONDITION', 'The delivery has succeeded already.'),
  already_succeeded: row(400, 'FAILED_PRECONDITION', 'This has succeeded already.'),
  otp_expired: row(400, 'FAILED_PRECONDITION', 'The code has expired; ask for another.'),
  invalid_otp: row(400, 'INVALID_ARGUMENT', 'The code is not valid.'),
  OUT_OF_COVERAGE_AREA: row(400, 'FAILED_PRECONDITION', 'The point is outside the area that is served.'),
  unauthorized: row(401, 'UNAUTHENTICATED', 'Valid credentials are required.'),
  invalid_signature: row(401, 'UNAUTHENTICATED', 'The signature is missing or wrong.'),
  insufficient_wallet_for_freelancer_order: row(
    402,
    'FAILED_PRECONDITION',
    'The wallet balance is below the delivery fee.',
  ),
  wallet_insufficient: row(402, 'FAILED_PRECONDITION', 'The wallet balance is too low.'),
  forbidden: row(403, 'PERMISSION_DENIED', 'The credential does not permit this.'),
  billing_blocked: row(403, 'PERMISSION_DENIED', 'The billing status of the merchant blocks this.'),
  kyb_required: row(403, 'PERMISSION_DENIED', 'Business verification and approval are required first.'),
  test_mode_required: row(403, 'PERMISSION_DENIED', 'This works with test credentials and test orders only.'),
  email_not_verified: row(403, 'PERMISSION_DENIED', 'Confirm the e-mail address first.'),
  feature_disabled: row(403, 'PERMISSION_DENIED', 'The operator has switched this off.'),
  kyc_not_approved: row(403, 'PERMISSION_DENIED', 'The rider must be approved first.'),
  withdrawal_frozen: row(403, 'PERMISSION_DENIED', 'Withdrawals are frozen after a change of payout instruments.'),
  not_found: row(404, 'NOT_FOUND', 'There is no such resource, or none that this credential may see.'),
  tracking_expired: row(404, 'NOT_FOUND', 'The tracking link has expired.'),
  rider_not_found: row(404, 'NOT_FOUND', 'There is no such rider.'),
  method_not_allowed: row(405, 'UNIMPLEMENTED', 'The path does not answer to this method.'),
  duplicate_order: row(409, 'ALREADY_EXISTS', 'Another order with this source and external_order_id exists.'),
  idempotency_conflict: row(
    409,
    'ABORTED',
    'The Idempotency-Key was used with a different request: a new request needs a new key.',
  ),
  idempotency_in_progress: row(409, 'ABORTED', 'The first request with this Idempotency-Key is still running.'),
  status_conflict: row(409, 'ABORTED', 'The order does not have the expected status.'),
  invalid_transition: row(409, 'FAILED_PRECONDITION', 'The status cannot be reached from the present one.'),
  cannot_cancel: row(409, 'FAILED_PRECONDITION', 'The order can no longer be cancelled.'),
  offer_expired: row(409, 'FAILED_PRECONDITION', 'The offer has expired.'),
  offer_unavailable: row(409, 'FAILED_PRECONDITION', 'The offer is no longer open.'),
  order_terminal: row(409, 'FAILED_PRECONDITION', 'The order has ended.'),
  rider_unavailable: row(409, 'FAILED_PRECONDITION', 'The rider cannot take the order now.'),
  test_rider_required: row(409, 'FAILED_PRECONDITION', 'Test orders take the sandbox rider, live orders never do.'),
  pod_required: row(409, 'FAILED_PRECONDITION', 'Proof of delivery is required first.'),
  quote_expired: row(409, 'FAILED_PRECONDITION', 'The quote has expired.'),
  quote_mismatch: row(409, 'FAILED_PRECONDITION', 'There is no such quote for this order.'),
  already_exists: row(409, 'ALREADY_EXISTS', 'This exists already.'),
  grant_exists: row(409, 'ALREADY_EXISTS', 'An active grant for this merchant exists.'),
  role_in_use: row(409, 'FAILED_PRECONDITION', 'Operators have this role; take it from them first.'),
  limit_reached: row(409, 'FAILED_PRECONDITION', 'The limit for this resource is reached.'),
  phone_in_use: row(409, 'ALREADY_EXISTS', 'Another rider has this phone number.'),
  active_order: row(409, 'FAILED_PRECONDITION', 'The rider has an order under way.'),
  insufficient_merchant_wallet: row(409, 'FAILED_PRECONDITION', 'The merchant wallet cannot bear this debit.'),
  invalid_state: row(409, 'FAILED_PRECONDITION', 'The present state does not permit this.'),
  payout_instrument_required: row(409, 'FAILED_PRECONDITION', 'A payout instrument is required first.'),
  second_approver_required: row(
    409,
    'FAILED_PRECONDITION',
    'Another person must approve this: an operator who was there before, and whom nobody made as well as the first.',
  ),
  asset_selection_required: row(409, 'FAILED_PRECONDITION', 'Choose one of the candidates.'),
  no_reusable_authorization: row(409, 'FAILED_PRECONDITION', 'There is no payment authorization to use again.'),
  token_expired: row(410, 'FAILED_PRECONDITION', 'The token has expired.'),
  payload_too_large: row(413, 'INVALID_ARGUMENT', 'The body is too large.'),
  unsupported_media_type: row(415, 'INVALID_ARGUMENT', 'The body must be application/json.'),
  rate_limited: row(429, 'RESOURCE_EXHAUSTED', 'Too many requests.'),
  sos_cooldown: row(429, 'RESOURCE_EXHAUSTED', 'An alert was raised a moment ago.'),
  otp_locked: row(429, 'RESOURCE_EXHAUSTED', 'Too many wrong codes; ask for another.'),
  otp_cooldown: row(429, 'RESOURCE_EXHAUSTED', 'A code was sent a moment ago.'),
  internal_error: row(500, 'INTERNAL', 'Something went wrong on our side.'),
  not_implemented: row(501, 'UNIMPLEMENTED', 'This is not offered.'),
  service_unavailable: row(503, 'UNAVAILABLE', 'The service is not available at the moment; retry with backoff.'),
  payments_not_configured: row(503, 'FAILED_PRECONDITION', 'The operator has configured no payment provider.'),
  uploads_not_configured: row(503, 'FAILED_PRECONDITION', 'The operator has configured no object store.'),
  messaging_app_not_configured: row(
    503,
    'FAILED_PRECONDITION',
    "The operator has not configured the messaging app's cloud.",
  ),
  sso_not_configured: row(503, 'FAILED_PRECONDITION', 'The operator has configured no single sign-on.'),
  simulator_disabled: row(503, 'FAILED_PRECONDITION', 'The operator has switched the simulator off.'),
  pricing_engine_disabled: row(503, 'FAILED_PRECONDITION', 'The operator has switched the pricing engine off.'),
  outbound_sms_not_configured: row(503, 'FAILED_PRECONDITION', 'The operator has not configured text messages.'),
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof ERRORS
