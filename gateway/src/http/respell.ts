import { type ErrorDetails, ServiceError } from '@svc/errors'

/**
 * Awaits a call, and where it is refused names the fields as the body of this route spells them: a service knows only the
 * names of its own messages.
 */
export async function respell<T>(call: Promise<T>, spell: (field: string) => string): Promise<T> {
  return call.catch((error: unknown) => {
    if (!(error instanceof ServiceError) || !error.details) throw error
    const { code, message, retryAfterSeconds } = error
    const details = respelt(error.details, spell)
    throw new ServiceError(code, { message, details, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) })
  })
}

function respelt(details: ErrorDetails, spell: (field: string) => string): ErrorDetails {
  const { field, fields } = details
  return {
    ...details,
    ...(typeof field === 'string' && { field: spell(field) }),
    ...(Array.isArray(fields) && { fields: fields.map((fault: ErrorDetails) => respelt(fault, spell)) }),
  }
}
