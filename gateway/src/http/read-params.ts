import { ServiceError } from '@svc/errors'
import type * as z from 'zod'

/** Path parameters; a malformed id is the id of nothing. */
export function readParams(schema: z.ZodType<Record<string, unknown>>, params: unknown): Record<string, unknown> {
  const result = schema.safeParse(params)
  if (!result.success) throw new ServiceError('not_found')
  return result.data
}
