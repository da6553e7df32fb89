import type { By, Tenant } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { pageOfActiveCodes } from '../../db/invite-codes.ts'
import type { Listed } from '../../db/listed.ts'
import type { InviteCode } from '../../domain/invite.ts'

/** The codes by which a rider may still join the merchant's fleet, newest first. */
export const listInviteCodes = (
  { transact }: Context,
  { scope }: By<Tenant>,
  page: Page,
): Promise<Listed<InviteCode>> => transact(scope, (tx) => pageOfActiveCodes(tx, scope.merchantId, page))
