import { ServiceError } from '@svc/errors'
import type * as z from 'zod'
import type { Auth } from './route.ts'

/** Path parameters; a malformed id is the id of nothing, and a signing sender does not learn which ids exist. */
export function readParams(
  schema: z.ZodType<Record<string, unknown>>,
  params: unknown,
  auth: Auth,
): Record<string, unknown> {
  const result = schema.safeParse(params)
  if (!result.success) throw new ServiceError(auth.kind === 'signed' ? 'invalid_signature' : 'not_found')
  return result.data
}
