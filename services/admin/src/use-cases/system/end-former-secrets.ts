import { pepperName } from '@svc/credentials'
import type { By } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { lockKey } from '../../db/api-keys.ts'
import { type Former, type FormerKey, findFormerKeys, replaceFormerPasswords } from '../../db/former-secrets.ts'
import { lockMerchant } from '../../db/merchants.ts'
import type { PepperCount } from '../../db/pepper-counts.ts'
import { apiKeyAudit } from '../../events.ts'

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

const RESOURCES = { users: 'user', operators: 'operator' } as const

/**
 * Ends what other peppers than the first have made and nobody has used for so many days: keys are revoked, and no password
 * matches any more until its person chooses another; log-ins that are under way live on. What names no pepper is taken to be
 * of the first where that is the only one in the list, and of another where it is not. Answers how many have ended.
 */
export async function endFormerSecrets(
  ctx: Context,
  { caller }: By<'every tenant'>,
  unusedDays: number,
): Promise<Record<PepperCount['table'], number>> {
  const { apiKeyPepper, passwordPepper } = ctx.config
  const formerOf = ([first, ...others]: typeof apiKeyPepper): Former => ({
    first: pepperName(first),
    isUnnamed: others.length > 0,
    unusedDays,
  })

  async function endKey({ id, merchantId }: FormerKey): Promise<boolean> {
    const tenant = { merchantId, isTest: null }
    const key = await ctx.transact(tenant, async (tx) => {
      await lockMerchant(tx.em, merchantId)
      const found = await lockKey(tx.em, tenant, id)
      // Used meanwhile, it has moved.
      if (found.secretPepper === pepperName(apiKeyPepper[0]) || !found.revoke(tx.now)) return undefined
      tx.publish(apiKeyAudit(caller, 'api_key.revoke', found))
      return found
    })
    if (key) await ctx.epochs.publish([{ credential: key.credential(), epoch: key.epoch }])
    return key !== undefined
  }

  async function endKeys(): Promise<number> {
    let ended = 0
    let after = FIRST_ID
    for (;;) {
      const keys = await findFormerKeys(ctx.database, formerOf(apiKeyPepper), after)
      for (const key of keys) if (await endKey(key)) ended += 1
      if (keys.length === 0) return ended
      after = keys.at(-1)!.id
    }
  }

  async function endPasswords(table: keyof typeof RESOURCES): Promise<number> {
    const former = formerOf(passwordPepper)
    let ended = 0
    let after = FIRST_ID
    for (;;) {
      const replaced = await ctx.transact('every tenant', async (tx) => {
        const passwordHash = ctx.passwords.hashOfNone
        const whose = await replaceFormerPasswords(tx, table, { former, after, passwordHash })
        const resourceType = RESOURCES[table]
        const audited = { action: `${resourceType}.password_end`, resourceType, isTest: false }
        for (const { id: resourceId, merchantId } of whose)
          tx.publish(auditOf(caller, { ...audited, resourceId, merchantId }))
        return whose
      })
      if (replaced.length === 0) return ended
      ended += replaced.length
      after = replaced.at(-1)!.id
    }
  }

  return { api_keys: await endKeys(), users: await endPasswords('users'), operators: await endPasswords('operators') }
}
