const id = '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11'

export const standardized = {
  pickup_address: '1 Broad Street, Lagos',
  dropoff_address: '2 Broad Street, Lagos',
  customer_phone: '+2348012345678',
  scheduled_pickup_at: '2099-01-01T10:00:00Z',
  delivery_window_start: '2099-01-01T10:00:00Z',
  delivery_window_end: '2099-01-01T12:00:00Z',
}

export const orderBody = {
  schema_version: '1',
  source: 'api',
  external_order_id: 'o-1',
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

/** A valid body for each operation that needs one. */
export const bodies: Record<string, object> = {
  createOrder: orderBody,
  updateOrder: { status: 'accepted' },
  cancelOrder: { reason: 'other' },
  adminCancelOrder: { reason: 'other' },
  createSimulatorOrder: simulatorBody,
  createAutoSimulatorOrder: { ...simulatorBody, step_delay_ms: 0 },
  simulateRiderAction: { order_id: id, action: 'accept' },
  updateOutboundWebhook: { url: 'https://example.com/hooks', enabled: true },
  replayEvents: { since: '2026-01-01T00:00:00Z' },
  signUpMerchant: { business_name: 'Kitchen', ...login, website: '' },
  logIn: login,
  logInOperator: login,
  refreshToken: { refresh_token: 'r' },
  exchangeAdminToken: { token: 'static' },
  createIdentity: login,
  updateMerchant: { kyb_status: 'verified', outbound_webhook_enabled: true },
}

/** The path with its parameters filled in. */
export const pathOf = (path: string): string =>
  path.replace('{token}', 'AAAAAAAAAAAAAAAAAAAAAA').replaceAll(/\{\w+\}/g, id)
