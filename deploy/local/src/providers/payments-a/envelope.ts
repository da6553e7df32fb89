import type { Response } from 'express'

/** What the provider answers where it did what was asked. */
export function answer(response: Response, message: string, data?: unknown): void {
  response.json({ status: true, message, ...(data !== undefined && { data }) })
}

/** What the provider answers where it refuses; only newer refusals carry a code. */
export function refuse(response: Response, httpStatus: number, message: string, code?: string): void {
  response.status(httpStatus).json({ status: false, message, ...(code && { type: 'validation_error', code }) })
}
