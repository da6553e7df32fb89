import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto'
import { serviceOf } from '@svc/contracts/calls'
import { type Caller, systemCaller } from './caller.ts'
import type { CallerSecrets } from './caller-secrets.ts'
import { fromWire, toWire, type WireCaller } from './caller-wire.ts'
import { noteClock } from './clock-skew.ts'
import { keepPass, passOf } from './passes.ts'
import { audiencesBeyond, mayPassOn } from './passing-on.ts'
import { UnreachableError } from './unreachable-error.ts'

/**
 * Metadata that holds `<issuer>.<claims>.<mac>`, the last two in base64url. What the gateway signs for a call that may be
 * passed on has a `.<service>.<mac>` more for each service that it may reach: with these it is a pass.
 */
export const CALLER_METADATA = 'svc-caller'

/** The one process that says who a person is. */
const GATEWAY = 'gateway'
/** By how much two clocks may differ. A request is bound to its caller, so that time is to repeat it, and no other. */
const CLOCK_SKEW_SECONDS = 300
/** How long a call may wait for a connection after it was signed. */
const WAIT_SECONDS = 30

interface Claims {
  iss: string
  aud: string
  rpc: string
  /** When it was signed. */
  iat: number
  /** Hash of the request. */
  req: string
  /** Or a pass, which says it for a caller whose call is passed on. */
  caller?: WireCaller
  pass?: string
}

/** A caller that was not signed for this call; the message goes to the log, never to the caller. */
export class CallerRefused extends Error {
  override readonly name = 'CallerRefused'
}

/** What a caller is signed for. */
export interface Signed {
  rpc: string
  request: Uint8Array
}

/** A call that has arrived. */
export interface Presented extends Signed {
  /** As it was signed. */
  value: unknown
  /** Whether the certificate of the connection names the process; absent where there is no TLS. */
  isCertified?: ((issuer: string) => boolean) | undefined
}

export type Sign = (caller: Caller, signed: Signed) => string
export type Verify = (presented: Presented) => Caller

const keyOf = (secret: string): KeyObject => createSecretKey(secret, 'utf8')
const nowSeconds = () => Math.floor(Date.now() / 1000)
const hashOf = (request: Uint8Array) => hash('sha256', request, 'base64url')
const macOf = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest('base64url')
const textOf = (claims: Claims) => `${claims.iss}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
/** What is signed of a pass differs from what is signed of a call: neither can be taken for the other. */
const passText = (signed: string) => `pass.${signed}`

export interface SignerOptions {
  from: string
  to: string
  secret: string
  /** Of the gateway: its secrets with the services to which this one may pass a call on. */
  passSecrets?: Readonly<Record<string, string>> | undefined
}

/**
 * A function that signs the caller of one call. A process signs itself; a person is signed by the gateway, and by other
 * processes only as the gateway has passed it on to them.
 */
export function callerSigner({ from, to, secret, passSecrets = {} }: SignerOptions): Sign {
  const key = keyOf(secret)
  const passKeys = new Map(Object.entries(passSecrets).map(([service, each]) => [service, keyOf(each)]))
  return (caller, { rpc, request }) => {
    const about = { iss: from, aud: to, rpc, iat: nowSeconds(), req: hashOf(request) }
    const isPassedOn = caller.kind !== 'system' && from !== GATEWAY
    if (isPassedOn) {
      const pass = passOf(caller)
      if (pass === undefined) throw new Error(`${from} was given no pass to call ${rpc} as a ${caller.kind} caller`)
      const signed = textOf({ ...about, pass })
      return `${signed}.${macOf(key, signed)}`
    }
    const signed = textOf({ ...about, caller: toWire(caller) })
    let value = `${signed}.${macOf(key, signed)}`
    if (caller.kind === 'system') return value
    for (const service of audiencesBeyond(rpc)) {
      const passKey = service === to ? key : passKeys.get(service)
      if (passKey) value += `.${service}.${macOf(passKey, passText(signed))}`
    }
    return value
  }
}

/** A function that returns the caller of a call, or throws CallerRefused when any part of what was signed does not hold. */
export function callerVerifier(audience: string, secrets: CallerSecrets): Verify {
  const keys = new Map(Object.entries(secrets).map(([from, each]) => [from, each.map(keyOf)]))

  function openPass(pass: string, from: string, rpc: string): Caller {
    const { issuer, signed, claims: text, macs } = partsOf(pass)
    const mac = macs.get(audience)
    if (issuer !== GATEWAY || !mac || !isSigned(keys.get(GATEWAY), passText(signed), mac)) {
      throw new CallerRefused('the pass is not of the gateway')
    }
    const claims = claimsOf(text)
    if (!mayPassOn(claims.rpc, from, rpc)) throw new CallerRefused('a person is not passed on to this rpc')
    requireNow(GATEWAY, claims)
    const caller = personOf(claims)
    keepPass(caller, pass)
    return caller
  }

  return ({ value, rpc, request, isCertified }) => {
    if (typeof value !== 'string') throw new CallerRefused('the caller is missing')
    const { issuer, signed, claims: text, mac, macs, pass } = partsOf(value)
    if (!mac || !isSigned(keys.get(issuer), signed, mac)) throw new CallerRefused('the signature is wrong')
    if (isCertified?.(issuer) === false) throw new CallerRefused('the certificate is of another process')

    const claims = claimsOf(text)
    if (claims.iss !== issuer) throw new CallerRefused('the issuer is another one')
    if (claims.aud !== audience) throw new CallerRefused('the caller was signed for another service')
    if (claims.rpc !== rpc) throw new CallerRefused('the caller was signed for another rpc')
    if (claims.req !== hashOf(request)) throw new CallerRefused('the caller was signed for another request')
    requireNow(issuer, claims)
    if (claims.pass !== undefined) return openPass(claims.pass, issuer, rpc)
    if (claims.caller?.kind === 'system') {
      if (claims.caller.actor.id !== issuer) throw new CallerRefused('a process speaks as another one')
      return systemCaller(issuer, claims.caller.request_id)
    }
    if (issuer !== GATEWAY) throw new CallerRefused('only the gateway speaks for people')
    const caller = personOf(claims)
    if (macs.size > 0) keepPass(caller, pass)
    return caller
  }
}

function personOf({ iss, rpc, aud, caller }: Claims): Caller {
  if (!caller || caller.kind === 'system' || iss !== GATEWAY || aud !== serviceOf(rpc)) {
    throw new CallerRefused('the caller is no person')
  }
  return fromWire(caller)
}

const claimsOf = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString()) as Claims

/** A clock that is minutes wrong is harmless; further off, nothing was done, and the call may be made elsewhere. */
function requireNow(issuer: string, { iat }: Claims): void {
  if (!Number.isSafeInteger(iat)) throw new CallerRefused('the caller bears no time')
  const ageSeconds = nowSeconds() - iat
  noteClock(issuer, ageSeconds)
  if (ageSeconds < -CLOCK_SKEW_SECONDS || ageSeconds > CLOCK_SKEW_SECONDS + WAIT_SECONDS) {
    throw new UnreachableError('no', new CallerRefused(`the clock of ${issuer} differs by ${ageSeconds} s`))
  }
}

function partsOf(value: string) {
  const [issuer = '', claims = '', mac, ...rest] = value.split('.')
  // A pass has no mac of its own: it begins with the first service.
  const isPass = rest.length % 2 === 1
  const pairs = isPass ? [mac ?? '', ...rest] : rest
  const macs = new Map<string, string>()
  for (let at = 0; at < pairs.length; at += 2) macs.set(pairs[at] ?? '', pairs[at + 1] ?? '')
  const signed = `${issuer}.${claims}`
  return { issuer, claims, signed, mac: isPass ? undefined : mac, macs, pass: [signed, ...pairs].join('.') }
}

function isSigned(keys: readonly KeyObject[] | undefined, text: string, mac: string): boolean {
  const given = Buffer.from(mac, 'base64url')
  return keys?.some((key) => isMacOf(given, text, key)) === true
}

function isMacOf(mac: Buffer, text: string, key: KeyObject): boolean {
  const expected = createHmac('sha256', key).update(text).digest()
  return mac.length === expected.length && timingSafeEqual(mac, expected)
}
