import { randomUUID } from 'node:crypto'
import { describeApiKey, SCOPES } from '@svc/credentials'
import { systemBy } from '@svc/grpc'
import type { OrmTx } from '@svc/transact'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { insertKey } from '../../db/api-keys.ts'
import { insertMerchant } from '../../db/merchants.ts'
import { findOperatorByEmail } from '../../db/operators.ts'
import { findOwner } from '../../db/users.ts'
import { ApiKey } from '../../domain/api-key.ts'
import { normalizedEmail } from '../../domain/email.ts'
import { Merchant } from '../../domain/merchant.ts'
import { Operator, ROLES } from '../../domain/operator.ts'
import { slugOf } from '../../domain/slug.ts'
import { User } from '../../domain/user.ts'
import { merchantCreated } from '../../events.ts'
import type { CredentialEpoch } from '../../peers/epochs.ts'
import { keptDigest, pepperOf } from '../../security/key-digest.ts'
import { applyMerchantPatch } from '../merchants/update-merchant.ts'
import { createIdentity } from '../operators/create-identity.ts'

const login = { email: z.string(), password: z.string() }

export const seedInput = z.object({
  merchant: z.object({ id: z.uuid(), name: z.string(), ...login }),
  test_api_key: z.string(),
  live_api_key: z.string(),
  operators: z.array(z.object({ ...login, role: z.enum(ROLES).nullish() })).default([]),
})

type SeedInput = z.output<typeof seedInput>

const NAME = 'seed'

/** One merchant that may trade live with exactly these keys, and these operators. What is so already stays untouched. */
export async function seedDemo(ctx: Context, input: SeedInput): Promise<void> {
  const { merchant, operators } = input
  const epochs = await ctx.transact({ merchantId: merchant.id, isTest: null }, async (tx) => {
    await seedMerchant(ctx, tx, merchant)
    const keys = [
      await seedKey(ctx, tx, merchant.id, input.test_api_key, 'Demo test key'),
      await seedKey(ctx, tx, merchant.id, input.live_api_key, 'Demo live key'),
    ]
    await tx.em.flush()
    const approval = { kybStatus: 'verified', businessApprovalStatus: 'approved' } as const
    const approved = await applyMerchantPatch(tx, systemBy(NAME).caller, merchant.id, approval)
    return [
      ...keys.map((key): CredentialEpoch => ({ credential: key.credential(), epoch: key.epoch })),
      ...approved.epochs,
    ]
  })
  await ctx.epochs.publish(epochs)
  for (const operator of operators) await seedOperator(ctx, operator)
}

async function seedMerchant(
  ctx: Context,
  tx: OrmTx,
  { id, name, email, password }: SeedInput['merchant'],
): Promise<void> {
  const owner = await findOwner(tx.em, id)
  if (owner) {
    owner.passwordHash = await keptHash(ctx, owner.passwordHash, password)
    owner.passwordByMail = true
    return
  }
  const address = normalizedEmail(email)
  const slug = `${slugOf(name)}-${id.slice(0, 8)}`
  const merchant: Merchant = insertMerchant(tx, { id, name, slug, email: address, phone: null })
  await tx.em.flush()
  tx.em.create(User, {
    id: randomUUID(),
    merchantId: id,
    email: address,
    emailVerifiedAt: tx.now,
    passwordHash: await ctx.passwords.hash(password),
    // It stays when the owner comes in by an identity provider, as one that a mail has chosen does.
    passwordByMail: true,
    role: 'owner',
    epoch: 1,
    createdAt: tx.now,
  })
  tx.publish(merchantCreated(merchant))
}

async function seedKey(ctx: Context, tx: OrmTx, merchantId: string, text: string, label: string): Promise<ApiKey> {
  const minted = describeApiKey(text)
  const key = await tx.em.findOne(ApiKey, { merchantId, keyId: minted.keyId })
  const digest = keptDigest(ctx.config.apiKeyPepper, minted.secretSha256)
  if (!key) return insertKey(tx, { merchantId, label, scopes: [...SCOPES], minted, digest })
  if (key.revokedAt || pepperOf(ctx.config.apiKeyPepper, minted.secretSha256, key.secretHmac) < 0) {
    key.rotate(minted, { digest, madeByOperator: null, label: undefined })
    key.revokedAt = null
  }
  return key
}

async function seedOperator(ctx: Context, { email, password, role }: SeedInput['operators'][number]): Promise<void> {
  const known = await ctx.transact('every tenant', ({ em }) => findOperatorByEmail(em, normalizedEmail(email)))
  if (!known) {
    await createIdentity(ctx, systemBy(NAME), { email, password, role: role ?? undefined })
    return
  }
  const passwordHash = await keptHash(ctx, known.passwordHash, password)
  await ctx.transact('every tenant', async (tx) => {
    const operator = await tx.em.findOneOrFail(Operator, { id: known.id })
    operator.passwordHash = passwordHash
    operator.role = role ?? null
  })
}

/** The stored hash while it fits the password, else a new one. */
async function keptHash(ctx: Context, storedHash: string, password: string): Promise<string> {
  const { matches } = await ctx.passwords.slot(() => ctx.passwords.match(storedHash, password))
  return matches ? storedHash : ctx.passwords.hash(password)
}
