const id = '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11'

export const standardized = {
  pickup_address: '12 Marina Road, Lagos',
  dropoff_address: '4 Admiralty Way, Lekki',
  customer_name: 'Adaeze Okoro',
  customer_phone: '+2348012345678',
  scheduled_pickup_at: '2099-01-01T10:00:00Z',
  delivery_window_start: '2099-01-01T10:30:00Z',
  delivery_window_end: '2099-01-01T12:00:00Z',
}

export const orderBody = {
  schema_version: '1',
  source: 'api',
  external_order_id: 'web-1001',
  raw_payload: {},
  standardized,
}

const simulatorBody = {
  external_order_id: 's-1',
  pickup_address: standardized.pickup_address,
  dropoff_address: standardized.dropoff_address,
  customer_phone: standardized.customer_phone,
}

const login = { email: 'owner@example.com', password: 'a long enough password' }

const phone = '+2348012345678'
const points = { pickup_lat: 6.45, pickup_lng: 3.39, dropoff_lat: 6.5, dropoff_lng: 3.4 }

export const areas = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [3, 6],
            [4, 6],
            [4, 7],
            [3, 6],
          ],
        ],
      },
      properties: { name: 'Island' },
    },
  ],
}

const at = 'lat=6.45&lng=3.39'

/** A valid query for each operation that needs one, or shows more with one. */
export const queries: Record<string, string> = {
  getMerchant: 'include_kyb_payload=true',
  listPositionHistory: 'since=2026-11-21T10:00:00Z&until=2026-11-21T11:00:00Z',
  listDispatchCandidates: at,
  listRidersNear: at,
  adminListRidersNear: at,
  checkCoverage: at,
  completeMerchantSignOn: 'code=c&state=s',
  completeOperatorSignOn: 'code=c&state=s',
  previewFare: 'pickup_lat=6.45&pickup_lng=3.39&dropoff_lat=6.5&dropoff_lng=3.4',
}

/** Merchants and riders have operations of the same kind. */
function ofOwners(rpc: string, body: object): Record<string, object> {
  return { [rpc]: body, [`rider${rpc.charAt(0).toUpperCase()}${rpc.slice(1)}`]: body }
}

/** The orders of a shipment as a file. */
export const CSV = 'recipient_name,recipient_phone,dropoff_address\nAda,08031234567,2 Broad Street\n'

/** A form with such a file, and with these fields. */
export function form(csv: string | Uint8Array, fields: Record<string, string> = {}): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  data.append('file', new Blob([csv as string], { type: 'text/csv' }), 'orders.csv')
  return data
}

/** A valid body for each operation that needs one. */
export const bodies: Record<string, object> = {
  createOrder: orderBody,
  testOutboundWebhook: { event: 'withdrawal.paid' },
  preflightOrder: orderBody,
  createShipment: {
    pickup: { address: '1 Broad Street, Lagos', lat: 6.45, lng: 3.39 },
    orders: [{ recipient_name: 'Ada', recipient_phone: phone, dropoff_address: '2 Broad Street, Lagos' }],
  },
  uploadShipment: form(CSV),
  updateOrder: { status: 'accepted' },
  cancelOrder: { reason: 'other' },
  adminCancelOrder: { reason: 'other' },
  createInviteCode: { expires_in_hours: 48 },
  createSimulatorOrder: simulatorBody,
  createAutoSimulatorOrder: { ...simulatorBody, step_delay_ms: 0 },
  simulateRiderAction: { order_id: id, action: 'accept' },
  startScenario: { order_id: id, scenario: 'lost' },
  updateOutboundWebhook: { url: 'https://example.com/hooks', enabled: true },
  replayEvents: { since: '2026-01-01T00:00:00Z' },
  signUpMerchant: { business_name: 'Kitchen', ...login, website: '' },
  logIn: login,
  logInOperator: login,
  changeOperatorPassword: { current_password: 'p', new_password: 'another password' },
  exchangeApiKey: {},
  logOut: {},
  createApiKey: { label: 'Warehouse', scopes: ['orders:read', 'orders:write'], is_test: true },
  rotateApiKey: { label: 'Warehouse, since May' },
  adminRotateApiKey: { label: 'Warehouse, since May' },
  refreshToken: { refresh_token: 'r' },
  createCommissionDispute: { ledger_transaction_id: id, message: 'I was charged twice' },
  createContactInquiry: { name: 'Ada', email: login.email, message: 'Hello', website: '' },
  updateContactInquiry: { review_status: 'reviewed' },
  changePassword: { current_password: 'p', new_password: 'another password' },
  requestPasswordReset: { email: login.email, website: '' },
  confirmPasswordReset: { token: 't', password: 'another password' },
  resendEmailVerification: { email: login.email },
  confirmEmailVerification: { token: 't' },
  exchangeAdminToken: { token: 'static' },
  createIdentity: login,
  createCustomRole: { label: 'Support', permission_keys: ['admin.orders.read'] },
  updateCustomRole: { permission_keys: [] },
  assignCustomRole: { email: login.email, role_id: id },
  adminCreateApiKey: { enterprise_tier: true },
  updateApiKey: { enterprise_tier: true },
  assignRider: { rider_id: id },
  adminAssignRider: { rider_id: null },
  requestRiderLogin: { phone },
  publicRequestRiderLogin: { phone },
  requestRiderPhoneOtp: { phone },
  verifyRiderLogin: { phone, code: '123456' },
  mintRiderToken: { rider_id: id },
  redeemFleetInvite: { code: 'ABCD2345', name: 'Ada', phone },
  registerRider: { name: 'Ada', phone: '08012345678', vehicle_type: 'car' },
  createQuote: points,
  updateRiderOrderStatus: { status: 'picked_up', lat: 6.45, lng: 3.39 },
  declineRiderOrder: { reason: 'too far' },
  raiseSos: { lat: 6.45, lng: 3.39, note: 'The engine burns' },
  verifyPodOtp: { code: '123456' },
  submitKyb: { legal_name: 'Corner Shop Ltd', registration_number: 'RC 123456' },
  presignKybUpload: {
    file_name: 'bill.pdf',
    content_type: 'application/pdf',
    size_bytes: 1000,
    document_type: 'proof_of_address',
  },
  addKybDocument: { storage_key: 'kyb/1.pdf' },
  presignPodPhoto: { content_type: 'image/jpeg', size_bytes: 1000 },
  recordPositions: { lat: 6.45, lng: 3.39 },
  setRiderOnline: { is_online: true },
  verifyRiderPhoneOtp: { code: '123456' },
  updateRider: { kyc_status: 'approved' },
  replaceDispatchZones: areas,
  replacePlatformGeofences: areas,
  replaceDispatchSchedule: { timezone: 'Africa/Lagos', windows: [{ days: ['mon'], start: '08:00', end: '20:00' }] },
  createRateCard: { name: 'Lagos', currency: 'NGN', base_minor: 50_000 },
  updateRateCard: { vehicle_type: null },
  createTopupIntent: { amount_minor: 600_000 },
  setTestWallet: { balance_minor: 0 },
  advanceClock: { seconds: 60 },
  putWebhookFaults: { faults: [{ kind: 'drop' }] },
  ...ofOwners('createPayoutInstrument', { bank_code: '058', account_number: '0123456789' }),
  ...ofOwners('setDefaultPayoutInstrument', { is_default: true }),
  replaceCommissionSettings: {
    automation: true,
    trigger_statuses: ['delivered'],
    merchant_debit: null,
    require_payment_verified: null,
    rules: [{ amount_minor: 7_000, vehicle_type: 'van', source: 'api' }],
  },
  endDeadLetter: { reason: 'Settled with the payer on the phone' },
  rejectWithdrawal: { reason: 'The account belongs to somebody else' },
  declareRemittance: { rider_id: id, amount_minor: 20_000 },
  riderDeclareRemittance: { merchant_id: id, amount_minor: 20_000 },
  confirmRemittance: { received_minor: 15_000, reason: 'One note was torn' },
  ...ofOwners('disputeRemittance', { reason: 'Nobody came' }),
  adjustCash: { merchant_id: id, rider_id: id, amount_minor: -5_000, reason: 'A note that nobody took' },
  resolveRemittance: { received_minor: 15_000, reason: 'Seen on the camera' },
  ...ofOwners('requestWithdrawal', { amount_minor: 250_000 }),
  createSubscriptionIntent: { plan_code: 'PLN_1' },
  createSubscription: { plan_code: 'PLN_1' },
  putChannelSettings: { secret: 'a secret of the merchant' },
  adminPutChannelSettings: { secret: null },
  previewNormalization: { channel: 'storefront-a', merchant_id: id, payload: { id: 1 }, topic: 'orders/create' },
  exchangeCloudToken: { code: 'AQB-of-the-signup' },
  selectCloudAsset: { phone_number_id: '1234567890' },
  createWorkspaceGrant: { grantee_merchant_id: id, scopes: ['orders:read'] },
  bulkUpdateMessagingEngine: { confirmation: 'UPDATE_ALL_MERCHANTS', messaging_engine: 'ai' },
  updateMerchant: { kyb_status: 'verified', outbound_webhook_enabled: true },
}

/** The path with its parameters filled in. */
export const pathOf = (path: string): string =>
  path
    .replace('{token}', 'AAAAAAAAAAAAAAAAAAAAAA')
    .replace('{channel}', 'payments-a')
    .replaceAll(/\{\w+\}/g, id)

/** The same with the query that the operation needs. */
export const addressOf = ({ path, operationId }: { path: string; operationId: string }): string =>
  queries[operationId] ? `${pathOf(path)}?${queries[operationId]}` : pathOf(path)
