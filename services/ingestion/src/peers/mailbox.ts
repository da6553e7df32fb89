import { ServiceError } from '@svc/errors'
import type { JsonObject } from '@svc/exact-json'
import { isBlockedAddress, NO_NETWORKS } from '@svc/inputs'
import { BlockedAddressError, guardedAgent } from '@svc/outbound'
import { Agent, type Dispatcher, errors } from 'undici'
import type { Config } from '../config.ts'

const TIMEOUT_MS = 12_000
const DOWNLOAD_TIMEOUT_MS = 60_000
/** A mail with its page; attachments are not in it. */
const MAX_MAIL_BYTES = 4 * 1024 * 1024
const MAX_HEADER_BYTES = 16 * 1024
/** By these the provider says that there is nothing, or no longer. */
const GONE: ReadonlySet<number> = new Set([404, 410])

/** The provider has it, and it is not taken. */
export class NotTakenError extends Error {
  override readonly name = 'NotTakenError'
  readonly reason: string
  constructor(reason: string, options?: ErrorOptions) {
    super(`mail is not taken: ${reason}`, options)
    this.reason = reason
  }
}

/** The mail that came, where the provider keeps it. Throws service_unavailable where a repetition may succeed. */
export interface Mailbox {
  /** What the provider tells of a mail; null: it has none by that id. */
  mail(emailId: string): Promise<JsonObject | null>
  /** The bytes of an attachment; null: there is none. */
  attachment(emailId: string, attachmentId: string): Promise<Buffer | null>
  close(): Promise<void>
}

/** The mail provider's API, and the downloads that it names; null where the operator has configured none. */
export function mailbox(config: Config): Mailbox | null {
  const { mailApiUrl: baseUrl, mailApiKey: apiKey, attachmentMaxBytes } = config
  if (baseUrl === undefined) return null
  const bounds = { maxHeaderSize: MAX_HEADER_BYTES, allowH2: false } as const
  const api = new Agent({ ...bounds, connect: { timeout: TIMEOUT_MS }, maxResponseSize: MAX_MAIL_BYTES })
  const downloads = { ...bounds, maxResponseSize: attachmentMaxBytes, connectTimeoutMs: TIMEOUT_MS }
  const strangers = guardedAgent((address) => !isBlockedAddress(address, NO_NETWORKS), downloads)
  const local = guardedAgent(isLoopback, { ...downloads, resolve: async () => ['127.0.0.1', '::1'] })

  async function ask(...names: string[]): Promise<Buffer | null> {
    const path = names.map(encodeURIComponent).join('/')
    const url = new URL(`emails/receiving/${path}`, baseUrl!.endsWith('/') ? baseUrl : `${baseUrl}/`)
    return bytesOf(
      api,
      url,
      { authorization: `Bearer ${apiKey}`, accept: 'application/json' },
      TIMEOUT_MS,
      'mail_too_large',
    )
  }

  return {
    async mail(emailId) {
      const told = await ask(emailId)
      return told && objectIn(told)
    },
    async attachment(emailId, attachmentId) {
      const told = await ask(emailId, 'attachments', attachmentId)
      if (told === null) return null
      const { download_url: text, expires_at: expiresAt, size } = objectIn(told)
      if (typeof size === 'number' && size > attachmentMaxBytes) throw new NotTakenError('attachment_too_large')
      const { url, isLocal } = admitted(text, config)
      // Another URL is given at the next try.
      if (isOver(expiresAt)) throw unavailable('The provider gave a URL that has expired.')
      return bytesOf(isLocal ? local : strangers, url, {}, DOWNLOAD_TIMEOUT_MS, 'attachment_too_large')
    },
    async close() {
      await Promise.all([api.destroy(), strangers.destroy(), local.destroy()])
    },
  }
}

/** A URL from which is downloaded: https at a host that the operator admits, or this machine where that is allowed. */
function admitted(text: unknown, { mailDownloadHosts: hosts, mailAllowLocal }: Config): { url: URL; isLocal: boolean } {
  const url = typeof text === 'string' && text.length <= 4_096 && URL.canParse(text) ? new URL(text) : null
  if (!url || url.username !== '' || url.password !== '') throw new NotTakenError('download_refused')
  const isLocal = mailAllowLocal && ['127.0.0.1', 'localhost'].includes(url.hostname)
  const isOfHosts =
    hosts.length === 0 || hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))
  if (!isLocal && (url.protocol !== 'https:' || !isOfHosts)) throw new NotTakenError('download_refused')
  return { url, isLocal }
}

async function bytesOf(
  agent: Dispatcher,
  url: URL,
  headers: Record<string, string>,
  timeoutMs: number,
  tooLarge: string,
): Promise<Buffer | null> {
  try {
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers,
      signal: AbortSignal.timeout(timeoutMs),
    })
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    if (GONE.has(answer.statusCode)) return null
    // A redirect leads where nobody has judged the way; what a store refuses it may give by the next URL.
    if (answer.statusCode !== 200) throw unavailable(`The mail provider answered ${answer.statusCode}.`)
    return bytes
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    if (cause instanceof errors.ResponseExceededMaxSizeError) throw new NotTakenError(tooLarge, { cause })
    if (isBlocked(cause)) throw new NotTakenError('download_refused', { cause })
    throw unavailable('The mail provider does not answer.', cause)
  }
}

const isBlocked = (error: unknown): boolean =>
  error instanceof BlockedAddressError || (error instanceof Error && error.cause instanceof BlockedAddressError)

const unavailable = (message: string, cause?: unknown) => new ServiceError('service_unavailable', { message, cause })

/** `2025-10-18 12:00:00+00` and ISO alike; what is no time does not expire. */
function isOver(expiresAt: unknown): boolean {
  if (typeof expiresAt !== 'string') return false
  const at = Date.parse(expiresAt.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
  return at <= Date.now()
}

function objectIn(bytes: Buffer): JsonObject {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (typeof value === 'object' && value !== null) return value as JsonObject
  } catch {}
  throw unavailable('The mail provider answered no JSON object.')
}

const isLoopback = (address: string): boolean => address === '127.0.0.1' || address === '::1'
