import { isIP } from 'node:net'
import { isBlockedAddress, type Networks } from '@svc/inputs'

export const WEBHOOK_URL_MAX_LENGTH = 2048
const PORTS = ['', '443', '8443']
const LOCAL = /^http:\/\/(127\.0\.0\.1|localhost)(:[0-9]{1,5})?(?=[/?]|$)/
const NAMES_OF_NO_PUBLIC_HOST = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|corp|arpa)$/

/** What the operator decides of receivers. */
export interface Admission {
  allowLocal: boolean
  /** Networks beside those that are not public. */
  refused: Networks
}

export type JudgedUrl = { url: URL; local: boolean } | { refused: string }

/**
 * Judges a webhook URL by its text and by literal addresses in it; names are judged again by the address they connect to.
 * `allowLocal` admits plain http on 127.0.0.1 and localhost, spelt exactly so.
 */
export function judgeWebhookUrl(text: string, options: Admission): JudgedUrl {
  if (text.length > WEBHOOK_URL_MAX_LENGTH) return { refused: 'max_length' }
  // The URL parser silently drops or turns these, so that the text would not be what is called.
  if (/[\s\\\p{Cc}]/u.test(text)) return { refused: 'characters' }
  if (!URL.canParse(text)) return { refused: 'url' }
  const url = new URL(text)
  if (authorityOf(text).includes('@')) return { refused: 'no_credentials' }
  if (options.allowLocal && LOCAL.test(text)) return { url, local: true }
  if (url.protocol !== 'https:') return { refused: 'https' }
  if (!PORTS.includes(url.port)) return { refused: 'port' }
  return isPublicHost(url.hostname, options.refused) ? { url, local: false } : { refused: 'public_address' }
}

const authorityOf = (text: string) => text.replace(/^[a-z]+:\/*/i, '').split(/[/?#]/, 1)[0] ?? ''

function isPublicHost(hostname: string, refused: Networks): boolean {
  const literal = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  if (isIP(literal) !== 0) return !isBlockedAddress(literal, refused)
  return !hostname.endsWith('.') && hostname.includes('.') && !NAMES_OF_NO_PUBLIC_HOST.test(hostname)
}
