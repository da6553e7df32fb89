import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { OrmTx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { assertAlive, findHolder } from '../../db/holders.ts'
import { holdGrantVerdict } from '../../db/workspace-grants.ts'
import { admitsTo, assertSameEpoch, delegated, type MerchantHolder } from '../../domain/holder.ts'
import { unauthorized } from '../../domain/unauthorized.ts'
import { openSession } from '../../security/open-session.ts'
import { type TokenPair, tokenPair } from '../../security/token-pair.ts'

/**
 * Starts a refresh family for the API key that calls, in the epoch in which it was judged: the token of a secret that is
 * replaced meanwhile ends with that secret. A token is no key: it cannot make further ones. Where a grantor is named the
 * tokens act for it, as long as the grant stands.
 */
export async function exchangeApiKey(
  ctx: Context,
  { caller, scope }: By<Tenant>,
  { grantor }: { grantor?: string | undefined },
): Promise<TokenPair> {
  // A grant is no tenant's own row.
  const rows = grantor === undefined ? { ...scope, isTest: null } : ('every tenant' as const)
  const { session, holder, ended } = await ctx.transact(rows, async (tx) => {
    const found = caller.credential && (await findHolder(tx.em, scope, caller.credential))
    if (!found) throw unauthorized('invalid')
    await assertAlive(tx.em, found)
    assertSameEpoch(found, caller.credentialEpoch)
    return openSession(tx, ctx.config, grantor === undefined ? found : await acting(tx, found, grantor))
  })
  await ctx.epochs.publish(ended)
  return tokenPair(ctx, session, holder)
}

async function acting(tx: OrmTx, own: MerchantHolder, grantor: string): Promise<MerchantHolder> {
  const grant = await holdGrantVerdict(tx, grantor, own.merchantId)
  if (!admitsTo(grant, own.isTest)) throw new ServiceError('forbidden', { details: { reason: 'no_active_grant' } })
  const holder = delegated(own, grantor, grant)
  if (holder.scopes.length === 0) throw new ServiceError('forbidden', { details: { reason: 'no_common_scope' } })
  return holder
}
