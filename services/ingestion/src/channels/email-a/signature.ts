import { hmacSha256 } from '../base64-signature.ts'
import type { Secret, Signed } from '../channel.ts'
import { matchingSecret } from '../matching-secret.ts'

/** How far the sender's clock may be from ours; what was captured is good for no longer. */
const TOLERANCE_SECONDS = 300
/** Of more signatures than this nobody needs the rest: two keys overlap while one takes the place of the other. */
const MAX_SIGNATURES = 8
const SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/

/** The names of the three headers; the same scheme is spoken under two. */
const NAMES = ['svix', 'webhook'] as const

/**
 * The secret with which one of the signatures over `id.timestamp.body` was made, at a time near ours; null where none was. A
 * header that comes twice is none: which one counts would be a guess.
 */
export function emailSigner(signed: Signed, secrets: readonly Secret[], nowMs: number): Secret | null {
  const named = NAMES.map((prefix) => {
    const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) => one(signed, `${prefix}-${name}`))
    return id !== undefined && timestamp !== undefined && signature !== undefined ? { id, timestamp, signature } : null
  }).find((found) => found !== null)
  if (!named || !/^\d{1,12}$/.test(named.timestamp) || named.id.length > 256) return null
  if (Math.abs(nowMs / 1000 - Number(named.timestamp)) > TOLERANCE_SECONDS) return null
  const text = Buffer.concat([Buffer.from(`${named.id}.${named.timestamp}.`), signed.body])
  const given = named.signature
    .split(' ', MAX_SIGNATURES)
    .flatMap((each) => SIGNATURE.exec(each)?.[1] ?? [])
    .map((each) => Buffer.from(each, 'base64'))
  let found: Secret | null = null
  for (const signature of given)
    found ??= matchingSecret(signature, secrets, (secret) => hmacSha256(keyOf(secret), text))
  return found
}

function one({ headers }: Signed, wanted: string): string | undefined {
  const [found, ...more] = headers.filter(({ name }) => name === wanted)
  return more.length > 0 ? undefined : found?.value
}

/** The key behind a secret as the provider shows it: base64 after `whsec_`. */
const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
