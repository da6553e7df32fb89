import type { JsonObject } from '@svc/exact-json'
import { isUuid } from '@svc/inputs'
import type { MailAttachment } from '../../domain/mail.ts'
import { cutTo, idIn, objectIn, objectsIn, textIn } from '../mapping.ts'

const OF_MERCHANT = /^store-([0-9a-f-]{36})(?:\+[^@]*)?$/
/** Where the merchant has set no word of its own. */
const KEYWORDS = ['order', 'delivery', 'dispatch']
const ATTACHABLE: ReadonlySet<string> = new Set(['application/pdf', 'image/jpeg', 'image/png', 'image/webp'])
const EXTENSION = /\.(?:pdf|jpe?g|png|webp)$/i
/** Of each list. */
const MAX_RECIPIENTS = 100
/** What more a mail holds nobody reads. */
const MAX_ATTACHMENTS = 10
const MAX_NAME = 200

/** What kind of event it is, and of a mail that came what it is about. */
export function mailIn(body: JsonObject) {
  const data = objectIn(body['data'])
  return { event: textIn(body['type']) ?? '', emailId: textIn(data['email_id']), data }
}

/**
 * The merchants of the addresses `store-<merchant_id>@…`, in their order and each once; forwarded and blind copies have them in
 * received_for alone. With a domain only addresses of that domain count.
 */
export function recipientsIn(data: JsonObject, domain: string | undefined): string[] {
  const lists = [data['received_for'], data['to'], data['cc']]
  const addresses = lists.flatMap((list) => (Array.isArray(list) ? list.slice(0, MAX_RECIPIENTS) : [list]))
  const merchants = addresses.flatMap((address) => {
    const [local = '', host = ''] = bareAddress(textIn(address) ?? '').split('@')
    const merchantId = OF_MERCHANT.exec(local)?.[1]
    return merchantId !== undefined && isUuid(merchantId) && (domain === undefined || host === domain)
      ? [merchantId]
      : []
  })
  return [...new Set(merchants)]
}

/** `"Name" <a@b>` and `a@b` alike, in lower case. */
function bareAddress(text: string): string {
  const [, angled] = /<([^<>\s]{1,320})>\s*$/.exec(text.slice(0, 1_000)) ?? []
  return (angled ?? text).trim().toLowerCase()
}

/** Whether a word of the subject, or an attachment that can be read, makes the mail an order. */
export function isOrderMail(data: JsonObject, keyword: string | null): boolean {
  const subject = wordsOf(textIn(data['subject']) ?? '')
  const keywords = keyword === null ? KEYWORDS : [keyword]
  if (keywords.some((each) => subject.includes(wordsOf(each)))) return true
  return objectsIn(data['attachments']).some((each) => readableType(each) !== null)
}

/** The attachments that can be read, at most so many; one without an id cannot be asked for. */
export function attachmentsIn(data: JsonObject): MailAttachment[] {
  return objectsIn(data['attachments'])
    .flatMap((each) => {
      const [id, contentType, name] = [idIn(each['id']), readableType(each), textIn(each['filename'])]
      return id === null || contentType === null ? [] : [{ id, fileName: name && cutTo(name, MAX_NAME), contentType }]
    })
    .slice(0, MAX_ATTACHMENTS)
}

/** By its type, and by its name where it has one. */
function readableType({ content_type, filename }: JsonObject): string | null {
  const name = textIn(filename)
  const type = textIn(content_type)?.toLowerCase().split(';')[0]?.trim() ?? ''
  return ATTACHABLE.has(type) && (name === null || EXTENSION.test(name)) ? type : null
}

/** The words of a text, each between two spaces, whatever their case and what stands between them. */
const wordsOf = (text: string): string =>
  ` ${text
    .slice(0, 1_000)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
