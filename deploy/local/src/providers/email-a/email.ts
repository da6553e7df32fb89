import { z } from 'zod'

const address = z.string().regex(/^([^<>]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/)
const addresses = z.union([address.transform((one) => [one]), z.array(address).min(1).max(50)])

const emailSchema = z.object({
  from: address,
  to: addresses,
  subject: z.string(),
  text: z.string().optional(),
  html: z.string().optional(),
  cc: addresses.optional(),
  bcc: addresses.optional(),
  reply_to: addresses.optional(),
  tags: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
})

export type Email = z.output<typeof emailSchema>

export interface EmailFault {
  name: 'missing_required_field' | 'validation_error'
  message: string
}

/** The mail in a request body, or what the provider says against it (always with status 422). */
export function readEmail(body: unknown): { email: Email } | { fault: EmailFault } {
  const given = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const missing = ['from', 'to', 'subject'].find((field) => given[field] === undefined || given[field] === '')
  if (missing) return { fault: { name: 'missing_required_field', message: `Missing \`${missing}\` field.` } }
  if (!given.text && !given.html) {
    return { fault: { name: 'validation_error', message: 'Missing `html` or `text` field.' } }
  }
  const parsed = emailSchema.safeParse(body)
  if (parsed.success) return { email: parsed.data }
  const field = parsed.error.issues[0]?.path.join('.') ?? 'body'
  return { fault: { name: 'validation_error', message: `Invalid \`${field}\` field.` } }
}
