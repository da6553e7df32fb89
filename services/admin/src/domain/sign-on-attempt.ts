import { createHmac } from 'node:crypto'
import { type Peppers, secretEquals } from '@svc/credentials'

/** Who logs in at an identity provider; each kind has a provider and a callback of its own. */
export type Audience = 'merchant' | 'operator'

/** A log-in under way: what is known of it here alone, and what the browser and the provider are given. */
export interface SignOnAttempt {
  id: string
  expiresAt: Date
  /** Comes back with the browser. */
  state: string
  /** Comes back inside of the id token. */
  nonce: string
  /** Proves to the provider that who changes the code has begun the log-in. */
  verifier: string
}

/** How long a person may take at the provider. */
export const ATTEMPT_SECONDS = 600

interface Named {
  audience: Audience
  id: string
  expiresAt: Date
}

/**
 * The attempt of that id. All of it is computed from the id under the pepper, so nothing is kept of those that are begun
 * and never completed.
 */
export function signOnAttempt(pepper: Buffer, { audience, id, expiresAt }: Named): SignOnAttempt {
  const of = (what: string) => digest(pepper, `${what}:${audience}:${id}:${expiresAt.getTime()}`).toString('base64url')
  return { id, expiresAt, state: of('state'), nonce: of('nonce'), verifier: of('verifier') }
}

/** What the browser keeps of it: without the pepper nobody makes one, and none is good for the other audience. */
export function secretOf(pepper: Buffer, { audience, id, expiresAt }: Named): string {
  const text = `${id}.${Math.floor(expiresAt.getTime() / 1000)}`
  return `${text}.${digest(pepper, `secret:${audience}:${text}`).toString('base64url')}`
}

/** The attempt of which a browser keeps that, by whichever of the peppers it was begun; undefined for what is none of ours. */
export function attemptOf(peppers: Peppers, audience: Audience, secret: string): SignOnAttempt | undefined {
  const [, id = '', seconds = ''] = /^([0-9a-f-]{36})\.(\d{1,12})\.[\w-]{43}$/.exec(secret) ?? []
  if (id === '') return undefined
  const named = { audience, id, expiresAt: new Date(Number(seconds) * 1000) }
  const maker = peppers.find((pepper) => secretEquals(secretOf(pepper, named), secret))
  return maker && signOnAttempt(maker, named)
}

const digest = (pepper: Buffer, text: string): Buffer => createHmac('sha256', pepper).update(`sign-on:${text}`).digest()
