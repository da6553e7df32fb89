import { randomUUID } from 'node:crypto'
import { UniqueConstraintViolationException } from '@mikro-orm/core'
import { mintApiKey, SCOPES } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import type { By, Caller } from '@svc/grpc'
import { auditOf, type OrmTx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { insertKey } from '../../db/api-keys.ts'
import { insertContactInquiry } from '../../db/contact-inquiries.ts'
import { insertMerchant } from '../../db/merchants.ts'
import { insertOwner } from '../../db/users.ts'
import type { ApiKey } from '../../domain/api-key.ts'
import { assertBusinessName } from '../../domain/business-name.ts'
import { normalizedEmail } from '../../domain/email.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { assertPassword } from '../../domain/password-policy.ts'
import { assertPhone } from '../../domain/phone.ts'
import { slugOf } from '../../domain/slug.ts'
import { apiKeyAudit, merchantCreated } from '../../events.ts'
import { openAccountMail } from '../../security/account-mails.ts'
import { keptDigest } from '../../security/key-digest.ts'

interface SignUpMerchant {
  businessName: string
  email: string
  password: string
  phone?: string | undefined
}

interface SignedUp {
  merchant: Merchant
  key: ApiKey
  text: string
}

const SLUG_ATTEMPTS = 5

/** Makes a merchant, its owner and a test key with every scope, all or nothing. An e-mail address signs up once. */
export async function signUpMerchant(ctx: Context, by: By, input: SignUpMerchant): Promise<SignedUp> {
  if (!ctx.config.signupEnabled) throw new ServiceError('feature_disabled')
  const name = assertBusinessName(input.businessName)
  const email = normalizedEmail(input.email)
  const phone = assertPhone(input.phone)
  assertPassword(input.password)
  const passwordHash = await ctx.passwords.hash(input.password)

  for (let attempt = 1; ; attempt++) {
    const id = randomUUID()
    const slug = attempt === 1 ? slugOf(name) : `${slugOf(name)}-${id.slice(0, 8)}`
    try {
      return await ctx.transact({ merchantId: id, isTest: null }, (tx) =>
        enter(ctx, tx, by.caller, { id, name, slug, email, phone }, passwordHash),
      )
    } catch (error) {
      if (!isTaken(error, 'merchants_slug_taken') || attempt === SLUG_ATTEMPTS) throw error
    }
  }
}

async function enter(
  ctx: Context,
  tx: OrmTx,
  caller: Caller,
  given: { id: string; name: string; slug: string; email: string; phone: string | null },
  passwordHash: string,
): Promise<SignedUp> {
  const merchant = insertMerchant(tx, given)
  await tx.em.flush()
  const userId = await insertOwner(tx, { merchantId: given.id, email: given.email, passwordHash })
  if (userId === undefined)
    throw new ServiceError('already_exists', {
      message: 'This e-mail address has an account.',
      details: { field: 'email' },
    })
  const minted = mintApiKey({ isTest: true })
  const key = insertKey(tx, {
    merchantId: given.id,
    label: 'Default test key',
    scopes: [...SCOPES],
    minted,
    digest: keptDigest(ctx.config.apiKeyPepper, minted.secretSha256),
  })
  await tx.em.flush()
  await insertContactInquiry(tx, { ...given, merchantId: given.id, source: 'self_serve_signup', message: null })
  const owner: Caller = { ...caller, actor: { type: 'merchant_user', id: userId }, merchantId: given.id }
  tx.publish(merchantCreated(merchant))
  tx.publish(auditOf(owner, { action: 'merchant.signup', resourceType: 'merchant', resourceId: given.id }))
  tx.publish(apiKeyAudit(owner, 'api_key.create', key))
  const mail = { about: 'email_verification', audience: 'merchant', email: given.email, ip: caller.ip ?? null } as const
  await openAccountMail(ctx, tx, mail, given.id)
  return { merchant, key, text: minted.text }
}

function isTaken(error: unknown, constraint: string): boolean {
  return error instanceof UniqueConstraintViolationException && error.message.includes(constraint)
}
