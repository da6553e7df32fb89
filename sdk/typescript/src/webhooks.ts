import type { WebhookEvent } from './generated/types.ts'

export interface VerifyOptions {
  /** The endpoint's secret, or several while one replaces another. */
  secret: string | readonly string[]
  /** Seconds that the clock of a v2 signature may be off: 300 unless given. A v1 signature carries no time. */
  toleranceSeconds?: number
  /** Milliseconds since 1970, in place of the clock. */
  now?: number
}

type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** Why a webhook is not taken. */
export type Refusal =
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_wrong'
  | 'too_old'
  | 'too_new'
  | 'body_malformed'

/** A webhook that is not ours, not as we sent it, or not from now. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: Refusal

  constructor(reason: Refusal, message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * The event of a webhook whose signature holds, v1 or v2; throws a WebhookVerificationError otherwise. `body` is the body
 * as it came, before anything has parsed it: the signature covers bytes.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderSource,
  options: VerifyOptions,
): Promise<WebhookEvent> {
  const signature = headerOf(headers, 'x-service-signature')
  if (!signature) throw new WebhookVerificationError('signature_missing', 'There is no X-Service-Signature.')
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const { signed, candidates } = signature.startsWith('v1=')
    ? { signed: bytes, candidates: [signature.slice(3)] }
    : secondVersion(signature, bytes, headerOf(headers, 'x-service-event-id'), options)
  const secrets = typeof options.secret === 'string' ? [options.secret] : options.secret
  let holds = false
  // All of them, so that the time tells nothing of which one held.
  for (const secret of secrets)
    for (const candidate of candidates) if (await isSignedBy(secret, signed, candidate)) holds = true
  if (!holds)
    throw new WebhookVerificationError(
      'signature_wrong',
      'The signature does not hold: another secret, or a body that is not byte for byte the one that came.',
    )
  return eventOf(bytes)
}

function secondVersion(
  signature: string,
  bytes: Uint8Array,
  eventId: string | undefined,
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions,
): { signed: Uint8Array; candidates: string[] } {
  const [first = '', ...entries] = signature.split(',')
  const time = /^t=(\d{1,12})$/.exec(first)?.[1]
  if (!time || !eventId)
    throw new WebhookVerificationError(
      'signature_malformed',
      'X-Service-Signature is neither v1 nor v2, or X-Service-Event-Id lacks.',
    )
  const age = now / 1000 - Number(time)
  if (age > toleranceSeconds) throw new WebhookVerificationError('too_old', `It was signed ${Math.round(age)} s ago.`)
  if (-age > toleranceSeconds)
    throw new WebhookVerificationError('too_new', `It was signed ${Math.round(-age)} s from now: look at the clock.`)
  const head = new TextEncoder().encode(`${eventId}.${time}.`)
  const signed = new Uint8Array(head.length + bytes.length)
  signed.set(head)
  signed.set(bytes, head.length)
  return { signed, candidates: entries.filter((entry) => entry.startsWith('v2=')).map((entry) => entry.slice(3)) }
}

async function isSignedBy(secret: string, signed: Uint8Array, hex: string): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/.test(hex)) return false
  const key = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const mac = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  // Compares in constant time.
  return crypto.subtle.verify('HMAC', key, mac, signed as Uint8Array<ArrayBuffer>)
}

function eventOf(bytes: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new WebhookVerificationError('body_malformed', 'The signature holds, but the body is not JSON.')
  }
}

function headerOf(headers: HeaderSource, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : value?.[0]
}
