import type { ErrorCode } from '@svc/errors'
import type { Route } from './route.ts'

/** Every code that the route can answer with. */
export function codesOf({ auth, input, body, query, headers, idempotent, errors }: Route): ErrorCode[] {
  const codes: ErrorCode[] = ['validation_error', 'rate_limited', 'internal_error', 'service_unavailable', ...errors]
  const isOpen = auth.kind === 'public' || auth.kind === 'session' || auth.kind === 'signed'
  if (!isOpen) codes.push('unauthorized', 'forbidden')
  // Whose hooks come in is told nothing about the address that we gave out.
  codes.push(auth.kind === 'signed' ? 'invalid_signature' : 'unknown_parameter')
  if (auth.kind === 'merchant' || auth.kind === 'merchant_or_rider') codes.push('kyb_required')
  if (body) codes.push('payload_too_large', 'unsupported_media_type')
  if (input === 'raw') codes.push('payload_too_large', 'unsupported_media_type')
  const takesNothing = !body && !query && !headers && !idempotent && auth.kind === 'public'
  return [...new Set(codes)].filter((code) => !(takesNothing && code === 'validation_error'))
}
