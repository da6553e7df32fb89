import { createHash, randomUUID } from 'node:crypto'
import { secretEquals } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../context.ts'
import { marksFirstOfHour } from '../db/login-failures.ts'
import { takeAttempt } from '../db/sign-on-attempts.ts'
import { ATTEMPT_SECONDS, type Audience, attemptOf, secretOf, signOnAttempt } from '../domain/sign-on-attempt.ts'
import type { SignOnIdentity } from '../domain/sign-on-identity.ts'
import type { IdentityProvider, ProviderAnswer } from '../peers/identity-provider.ts'

/** A log-in that was begun: where the browser goes, and what it keeps meanwhile. */
export interface BegunSignOn {
  url: string
  secret: string
  maxAgeSeconds: number
}

/** What a browser came back with, and what it has kept. */
export interface SignOnCallback extends ProviderAnswer {
  secret: string
}

/** The provider of the audience; throws where the operator has configured none. */
export function providerOf({ signOn }: Context, audience: Audience): IdentityProvider {
  const provider = signOn[audience]
  if (!provider) throw new ServiceError('sso_not_configured')
  return provider
}

/** Begins a log-in for one browser. Nothing is kept of it here. */
export async function beginSignOn(ctx: Context, audience: Audience): Promise<BegunSignOn> {
  const provider = providerOf(ctx, audience)
  const {
    passwordPepper: [pepper],
  } = ctx.config
  // In whole seconds, as the browser keeps it.
  const expiresAt = new Date((Math.floor(Date.now() / 1000) + ATTEMPT_SECONDS) * 1000)
  const named = { audience, id: randomUUID(), expiresAt }
  const url = await provider.urlOf(signOnAttempt(pepper, named))
  return { url, secret: secretOf(pepper, named), maxAgeSeconds: ATTEMPT_SECONDS }
}

/**
 * Who has logged in at the provider, in the browser that began it, and for this one callback: each attempt is taken before
 * the provider is asked, so that of those that come at once one goes on.
 */
export async function proveSignOn(
  ctx: Context,
  audience: Audience,
  { secret, ...answer }: SignOnCallback,
): Promise<SignOnIdentity> {
  const provider = providerOf(ctx, audience)
  const attempt = attemptOf(ctx.config.passwordPepper, audience, secret)
  if (!attempt || !secretEquals(attempt.state, answer.state ?? '')) throw notThisBrowser()
  const taken = await takeAttempt(ctx.database, attempt)
  if (taken === 'expired')
    throw new ServiceError('token_expired', { message: 'The log-in took too long: begin again.' })
  if (taken === 'used') throw usedBefore()
  return provider.identityOf(answer, attempt)
}

function notThisBrowser(): ServiceError {
  const message = 'This browser has not begun that log-in, or has begun another since: begin again.'
  return new ServiceError('invalid_token', { message, details: { field: 'state' } })
}

function usedBefore(): ServiceError {
  const message = 'That log-in has been completed before: begin again.'
  return new ServiceError('invalid_token', { message, details: { field: 'state', reason: 'used' } })
}

/** Why somebody for whom a provider vouches has no way in, and what to do. */
const REFUSALS = {
  email_missing: 'The identity provider tells no e-mail address: whoever runs it has to release the claim email.',
  email_not_verified: 'The identity provider does not say that the e-mail address is yours: have it verified there.',
  no_account: 'No account has this e-mail address: sign up with it, or ask who runs the platform to add you.',
  // Not by the link that confirms it: whoever signed up with the address would go on knowing the password.
  account_not_verified:
    'The account has not confirmed its e-mail address: choose a new password by a mailed link first.',
  other_subject: {
    merchant:
      'The account belongs to another person at the identity provider: choose a password by a mailed link first.',
    operator: 'This operator is another person at the identity provider: have the identity removed and made anew.',
  },
} as const

type Reason = keyof typeof REFUSALS

function messageOf(reason: Reason, audience: Audience): string {
  const message = REFUSALS[reason]
  return typeof message === 'string' ? message : message[audience]
}

/** An account that somebody would have entered. */
interface Account {
  id: string
  merchantId?: string
}

interface Refused {
  audience: Audience
  identity: SignOnIdentity
  reason: Reason
  account?: Account
}

/** 403 that says what to do. On record once an hour for each person at the provider and reason, however often they come. */
export async function refusedSignOn(
  ctx: Context,
  caller: Caller,
  { audience, identity, reason, account }: Refused,
): Promise<ServiceError> {
  const { issuer, subject } = identity
  const person = createHash('sha256')
    .update(JSON.stringify(['sign-on', audience, issuer, subject]))
    .digest()
  await ctx.transact('every tenant', async (tx) => {
    if (!(await marksFirstOfHour(tx, person, reason))) return
    tx.publish(
      auditOf(caller, {
        action: 'sign_on.refuse',
        resourceType: audience === 'operator' ? 'operator' : 'user',
        resourceId: account?.id ?? 'unknown',
        merchantId: account?.merchantId ?? null,
        isTest: false,
        after: { reason, issuer, subject },
      }),
    )
  })
  const isUnverified = reason === 'email_not_verified' || reason === 'account_not_verified'
  return new ServiceError(isUnverified ? 'email_not_verified' : 'forbidden', {
    message: messageOf(reason, audience),
    details: { reason },
  })
}

/** The address for which the provider vouches, as accounts spell it; refuses where there is none. */
export async function vouchedEmail(
  ctx: Context,
  caller: Caller,
  audience: Audience,
  identity: SignOnIdentity,
): Promise<string> {
  const { email, isVerified } = identity
  if (email === undefined) throw await refusedSignOn(ctx, caller, { audience, identity, reason: 'email_missing' })
  if (!isVerified) throw await refusedSignOn(ctx, caller, { audience, identity, reason: 'email_not_verified' })
  return email
}
