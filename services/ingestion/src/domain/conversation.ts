import { normalizePhone } from '@svc/phone'
import { timeIn } from './clock-time.ts'

/** What an order needs that no message of the provider holds, in the order in which it is asked for. */
export const QUESTIONS = ['dropoff_address', 'customer_name', 'customer_phone', 'wanted_at'] as const

type Question = (typeof QUESTIONS)[number]

/** What the customer was asked last. */
export type Asked = Question | 'confirmation'

/** What the customer has told so far. */
export type Told = Partial<Record<Question, string>> & {
  /** What is wanted, in the customer's words. */
  request?: string
}

/** A message of the customer. */
export interface Heard {
  text: string
  /** E.164. */
  sender: string
  at: Date
  timezone: string
}

/** What a message has led to. */
export interface Turn {
  told: Told
  /** What is asked now; null: nothing any more. */
  asked: Asked | null
  /** The answer made no sense: the same is asked again. */
  isRepeated: boolean
  end: 'confirmed' | 'cancelled' | null
}

const YES = /^(yes|y|yeah|yep|ok|okay|confirm|confirmed|correct)[.! ]*$/i
const NO = /^(no|n|nope)[.! ]*$/i
const CANCEL = /^(cancel|stop|quit|end)[.! ]*$/i
const MYSELF = /^(me|mine|myself|same|this (one|number)|my number)[.! ]*$/i

/** At the beginning of a line: the blanks before it are those of that line alone, or each of many empty ones would be read to their end. */
const lineLabelled = (names: string): RegExp =>
  new RegExp(String.raw`^[^\S\n\r\u2028\u2029]*(?:${names})\s*[:=]\s*(.+)$`, 'im')

const LABELS: ReadonlyArray<readonly [Question, RegExp]> = [
  ['dropoff_address', lineLabelled('(?:delivery |drop-?off )?(?:address|deliver to)')],
  ['customer_name', lineLabelled('recipient|name|recipient name')],
  ['customer_phone', lineLabelled('phone|tel|telephone|number')],
  ['wanted_at', lineLabelled('time|when|at')],
]
const PHONE = /(?<!\d)(?:\+\d{7,15}|0\d{10})(?!\d)/g

const MAX = { dropoff_address: 500, customer_name: 200, request: 1_000 } as const

/** The first message: what it says is taken, and what is missing is asked for. */
export function beginConversation(heard: Heard): Turn {
  const labelled = labelledIn(heard)
  const [phone, ...more] = new Set((heard.text.replaceAll(/[ ()-](?=\d)/g, '').match(PHONE) ?? []).map(normalizePhone))
  const request = heard.text.trim().slice(0, MAX.request).toWellFormed()
  const told: Told = {
    ...(phone && more.length === 0 && { customer_phone: phone }),
    ...labelled,
    ...(request !== '' && { request }),
  }
  return asking(told)
}

/** A further message: an answer to what was asked, a correction by its name, or the end. */
export function goOn(told: Told, asked: Asked, heard: Heard): Turn {
  const text = heard.text.trim()
  if (CANCEL.test(text)) return { told, asked: null, isRepeated: false, end: 'cancelled' }
  const labelled = labelledIn(heard)
  if (Object.keys(labelled).length > 0) return asking({ ...told, ...labelled })
  if (asked === 'confirmation') return confirmed(told, heard)
  const answer = valueOf(asked, text, heard)
  return answer === null ? { told, asked, isRepeated: true, end: null } : asking({ ...told, [asked]: answer })
}

function confirmed(told: Told, { text, at }: Heard): Turn {
  if (NO.test(text.trim())) return { told, asked: null, isRepeated: false, end: 'cancelled' }
  if (!YES.test(text.trim())) return { told, asked: 'confirmation', isRepeated: true, end: null }
  // While the summary was read that time may have come.
  const { wanted_at: wantedAt, ...others } = told
  if (wantedAt !== undefined && wantedAt !== 'soon' && new Date(wantedAt) <= at) return asking(others)
  return { told, asked: null, isRepeated: false, end: 'confirmed' }
}

const asking = (told: Told): Turn => ({
  told,
  asked: QUESTIONS.find((question) => told[question] === undefined) ?? 'confirmation',
  isRepeated: false,
  end: null,
})

function labelledIn(heard: Heard): Told {
  const found = LABELS.flatMap(([question, label]) => {
    const [, words] = label.exec(heard.text) ?? []
    const value = words === undefined ? null : valueOf(question, words.trim(), heard)
    return value === null ? [] : [[question, value] as const]
  })
  return Object.fromEntries(found)
}

/** What an answer means; null where it means nothing. */
function valueOf(question: Question, text: string, { sender, at, timezone }: Heard): string | null {
  switch (question) {
    case 'dropoff_address': {
      const address = text.replaceAll(/\s+/g, ' ')
      return address.length >= 3 ? address.slice(0, MAX.dropoff_address).toWellFormed() : null
    }
    case 'customer_name':
      return text === '' ? null : text.replaceAll(/\s+/g, ' ').slice(0, MAX.customer_name).toWellFormed()
    case 'customer_phone':
      return MYSELF.test(text) ? sender : normalizePhone(text.replaceAll(/[\s().-]/g, ''))
    case 'wanted_at': {
      const wanted = timeIn(text, at, timezone)
      return wanted instanceof Date ? wanted.toISOString() : wanted
    }
  }
}
