import { PERMISSIONS, secretEquals } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import type { By, Caller } from '@svc/grpc'
import { createLogger } from '@svc/logging'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { STATIC } from '../../domain/two-people.ts'
import { unauthorized } from '../../domain/unauthorized.ts'
import { type AdminToken, adminToken } from '../../security/admin-token.ts'

const logger = createLogger('admin-token')

/** Break-glass: a static token for an admin token with every permission. Without a static token there is no such thing. */
export async function exchangeAdminToken(
  ctx: Context,
  { caller }: By,
  { token }: { token: string },
): Promise<AdminToken> {
  const { adminStaticToken } = ctx.config
  if (adminStaticToken === undefined) throw new ServiceError('not_found')
  if (token === '') throw unauthorized('missing')
  if (!adminStaticToken.some((one) => secretEquals(token, one))) {
    logger.warn({ ip: caller.ip }, 'a wrong static admin token was presented')
    throw unauthorized('invalid')
  }
  const operator: Caller = { ...caller, actor: { type: 'admin', id: STATIC } }
  await ctx.transact('every tenant', async (tx) => {
    tx.publish(auditOf(operator, { action: 'admin_token.mint', resourceType: 'operator', resourceId: STATIC }))
  })
  return adminToken(ctx, { id: STATIC, epoch: 0, permissions: PERMISSIONS, auth: 'static' })
}
