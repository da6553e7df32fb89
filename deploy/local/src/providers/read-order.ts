import type { Response } from 'express'
import { z } from 'zod'

/** The order as the schema reads it; answers 400 and returns undefined where it does not fit. */
export function readOrder<S extends z.ZodType>(schema: S, body: unknown, response: Response): z.output<S> | undefined {
  const parsed = schema.safeParse(body)
  if (!parsed.success) refuseOrder(response, z.prettifyError(parsed.error))
  return parsed.data
}

/** Tells the client that gave the double an order what is wrong with it. */
export const refuseOrder = (response: Response, message: string): void => {
  response.status(400).json({ error: 'validation_error', message })
}
