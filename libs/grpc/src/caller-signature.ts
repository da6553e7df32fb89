import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Caller } from './caller.ts'
import type { CallerSecrets } from './caller-secrets.ts'
import { fromWire, toWire, type WireCaller } from './caller-wire.ts'

/** Metadata that holds `<issuer>.<claims>.<mac>`, the last two in base64url. */
export const CALLER_METADATA = 'svc-caller'

const LIFETIME_SECONDS = 30
const CLOCK_SKEW_SECONDS = 5

interface Claims {
  iss: string
  aud: string
  rpc: string
  exp: number
  caller: WireCaller
}

/** A caller that was not signed for this service and rpc; the message goes to the log, never to the caller. */
export class CallerRefused extends Error {
  override readonly name = 'CallerRefused'
}

const keyOf = (secret: string): KeyObject => createSecretKey(secret, 'utf8')
const nowSeconds = () => Math.floor(Date.now() / 1000)

/** A function that signs a caller for one rpc, valid for 30 seconds. */
export function callerSigner(from: string, to: string, secret: string): (caller: Caller, rpc: string) => string {
  const key = keyOf(secret)
  return (caller, rpc) => {
    const claims: Claims = { iss: from, aud: to, rpc, exp: nowSeconds() + LIFETIME_SECONDS, caller: toWire(caller) }
    const signed = `${from}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
    return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
  }
}

/** A function that returns the caller of a signed value, or throws CallerRefused when any part of it does not hold. */
export function callerVerifier(audience: string, secrets: CallerSecrets): (value: unknown, rpc: string) => Caller {
  const keys = new Map(Object.entries(secrets).map(([from, each]) => [from, each.map(keyOf)]))
  return (value, rpc) => {
    if (typeof value !== 'string') throw new CallerRefused('the caller is missing')
    const macAt = value.lastIndexOf('.')
    const claimsAt = value.indexOf('.')
    if (claimsAt <= 0 || macAt <= claimsAt) throw new CallerRefused('the caller is malformed')

    const issuer = value.slice(0, claimsAt)
    const mac = Buffer.from(value.slice(macAt + 1), 'base64url')
    const signed = value.slice(0, macAt)
    if (!keys.get(issuer)?.some((key) => isMacOf(mac, signed, key))) throw new CallerRefused('the signature is wrong')

    const claims = JSON.parse(Buffer.from(value.slice(claimsAt + 1, macAt), 'base64url').toString()) as Claims
    const remainingSeconds = claims.exp - nowSeconds()
    if (claims.iss !== issuer) throw new CallerRefused('the issuer is another one')
    if (claims.aud !== audience) throw new CallerRefused('the caller was signed for another service')
    if (claims.rpc !== rpc) throw new CallerRefused('the caller was signed for another rpc')
    if (!(remainingSeconds > -CLOCK_SKEW_SECONDS && remainingSeconds <= LIFETIME_SECONDS + CLOCK_SKEW_SECONDS)) {
      throw new CallerRefused('the caller has expired')
    }
    return fromWire(claims.caller)
  }
}

function isMacOf(mac: Buffer, signed: string, key: KeyObject): boolean {
  const expected = createHmac('sha256', key).update(signed).digest()
  return mac.length === expected.length && timingSafeEqual(mac, expected)
}
