/** Names of fields whose values never reach a log line, wherever an object of up to three levels is logged. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-admin-token',
  'svc-caller',
  'api_key',
  'apiKey',
  'password',
  'password_hash',
  'passwordHash',
  'secret',
  'client_secret',
  'clientSecret',
  'signing_secret',
  'signingSecret',
  'token',
  'access_token',
  'accessToken',
  'refresh_token',
  'refreshToken',
  'reset_token',
  'tracking_token',
  'code',
  'otp',
  'pin',
  'phone',
  'email',
  'account_number',
  'accountNumber',
  'bvn',
  'nin',
  'body',
  'payload',
  'raw_payload',
  'rawPayload',
]

export const redactedPaths = SECRET_FIELDS.flatMap((field) => {
  const key = `["${field}"]`
  return [key, `*${key}`, `*.*${key}`]
})
