import type { JsonObject } from '@svc/exact-json'
import { cutTo, idIn, textIn } from '../mapping.ts'

const MAX_TEXT = 2_000

/** A message that a customer has sent to a shop's number. */
export interface InboundMessage {
  /** Digit for digit: longer than any number holds. */
  id: string
  /** Digits with the country code. */
  receiver: string
  sender: string
  text: string
  /** It came by the messaging app, and is answered there. */
  isOfApp: boolean
}

/** The message that a body tells of; null where it is about something else. */
export function readMessage(body: JsonObject): InboundMessage | null {
  if (body['type'] !== 'inbound') return null
  const [id, receiver, sender] = [idIn(body['message_id']), phoneDigits(body['receiver']), phoneDigits(body['sender'])]
  const text = textIn(body['message'])
  if (id === null || receiver === null || sender === null || text === null) return null
  return { id, receiver, sender, text: cutTo(text, MAX_TEXT), isOfApp: /whatsapp/i.test(textIn(body['channel']) ?? '') }
}

/** The digits of a phone number, however it is spelt; null where there are too few or too many. */
export function phoneDigits(value: unknown): string | null {
  const digits = textIn(value)?.replaceAll(/\D/g, '') ?? ''
  return digits.length >= 3 && digits.length <= 15 ? digits : null
}

/** What a link or a poster puts into the first message, so that it is known for which shop it is. */
const MARKER = /(?:^|\s)Order_from_([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?![a-z0-9_])/i

/** The shop that a text names, by its slug, and the text without that. */
export function markerIn(text: string): { slug: string | null; rest: string } {
  const found = MARKER.exec(text)
  return { slug: found?.[1]?.toLowerCase() ?? null, rest: found ? text.replace(found[0], ' ').trim() : text }
}
