import { createHash } from 'node:crypto'
import { objectOf, readHookJson } from './hook-json.ts'

const MAX_LENGTH = 255

/** What names the thing that an event is about, the most telling first. */
const NAMES = ['reference', 'refund_reference', 'invoice_code', 'subscription_code', 'id'] as const

/**
 * Equal for two deliveries of one event, whatever their bytes: the event, what it is about and how that stands. The
 * provider gives events no id; where a body names nothing, or no more than a customer, of whom there may be more events of
 * the kind, its digest has to do.
 */
export function dedupeKeyOf(body: Buffer): string {
  const hook = readHookJson(body)
  const data = objectOf(hook?.['data'])
  const name = NAMES.map((field) => data[field]).find(isName)
  const key = [hook?.['event'], name, data['status']].filter(isName).join(':')
  return hook && isName(hook['event']) && name !== undefined && key.length <= MAX_LENGTH ? key : digestOf(body)
}

const isName = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || Number.isSafeInteger(value)

const digestOf = (body: Buffer): string => `sha256:${createHash('sha256').update(body).digest('hex')}`
