import { offsetOf } from '../domain/clock-time.ts'
import type { Asked, Told, Turn } from '../domain/conversation.ts'

const MAX_PART = 160

const QUESTION: Readonly<Record<Exclude<Asked, 'confirmation'>, string>> = {
  dropoff_address: 'Where shall we deliver it? Please send the full address.',
  customer_name: 'Who will receive it?',
  customer_phone: 'Which phone number does the recipient have? Send "me" for this one.',
  wanted_at: 'When do you want it? Send "now", or a time such as 14:30 or 5pm.',
}

const NOT_UNDERSTOOD = 'Sorry, I did not understand that.'

const part = (text: string | undefined): string => (text ?? '').slice(0, MAX_PART).toWellFormed()

function timeOf(wantedAt: string | undefined, timezone: string): string {
  if (wantedAt === undefined || wantedAt === 'soon') return 'as soon as possible'
  const at = new Date(wantedAt)
  const local = new Date(at.getTime() + offsetOf(timezone, at)).toISOString()
  return `${local.slice(0, 10)} at ${local.slice(11, 16)}`
}

const summary = (told: Told, timezone: string): string =>
  [
    part(told.request) && `Your order: ${part(told.request)}`,
    `Address: ${part(told.dropoff_address)}`,
    `Name: ${part(told.customer_name)}`,
    `Phone: ${part(told.customer_phone)}`,
    `Time: ${timeOf(told.wanted_at, timezone)}`,
    'Reply YES to order, NO to cancel, or correct a line, for example "Address: 1 Broad Street".',
  ]
    .filter((line) => line)
    .join('\n')

/** What the customer is told after a message. */
export function turnReply({ told, asked, isRepeated, end }: Turn, timezone: string): string {
  if (end === 'cancelled') return 'Your order was cancelled. Nothing will be delivered.'
  if (end === 'confirmed' || asked === null) return 'Thank you, we are placing your order.'
  const question = asked === 'confirmation' ? summary(told, timezone) : QUESTION[asked]
  return isRepeated ? `${NOT_UNDERSTOOD}\n${question}` : question
}

/** What the customer is told once it is known what became of the order. */
export const orderReply = (isPlaced: boolean): string =>
  isPlaced ? 'Your order is placed.' : 'Your order could not be placed. Please contact the shop.'
