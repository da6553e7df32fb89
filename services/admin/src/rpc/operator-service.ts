import { OperatorServiceService } from '@svc/contracts/admin/v1/operator_service'
import { anyone, operator, rpc, serving } from '@svc/grpc'
import { pageFields } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { ROLES } from '../domain/operator.ts'
import { adminTokenMessage, identityMessage } from '../messages/operator.ts'
import { changeOperatorPassword } from '../use-cases/operators/change-operator-password.ts'
import { checkSecondApprover } from '../use-cases/operators/check-second-approver.ts'
import { createIdentity } from '../use-cases/operators/create-identity.ts'
import { deleteIdentity } from '../use-cases/operators/delete-identity.ts'
import { exchangeAdminToken } from '../use-cases/operators/exchange-admin-token.ts'
import { listIdentities } from '../use-cases/operators/list-identities.ts'
import { logInOperator } from '../use-cases/operators/log-in-operator.ts'

const MANAGE = operator('admin.rbac.manage')

/** Operators: how they get their tokens, and who they are. */
export const operatorService = serving<Context>()(OperatorServiceService, {
  exchangeAdminToken: rpc({
    access: anyone(),
    handle: async (ctx, by, { token }) => ({ token: adminTokenMessage(await exchangeAdminToken(ctx, by, { token })) }),
  }),

  logInOperator: rpc({
    access: anyone(),
    handle: async (ctx, by, login) => ({ token: adminTokenMessage(await logInOperator(ctx, by, login)) }),
  }),

  changeOperatorPassword: rpc({
    access: operator(),
    async handle(ctx, by, { current_password: currentPassword, new_password: newPassword }) {
      await changeOperatorPassword(ctx, by, { currentPassword, newPassword })
      return {}
    },
  }),

  checkSecondApprover: rpc({
    access: operator('admin.withdrawals.write'),
    handle: async (ctx, by, { first_approver_id: firstApproverId, existed_before }) => ({
      is_second_person: await checkSecondApprover(ctx, by, {
        firstApproverId,
        existedBefore: new Date(existed_before!),
      }),
    }),
  }),

  listIdentities: rpc({
    access: MANAGE,
    input: z.object(pageFields()),
    async handle(ctx, by, page) {
      const { operators, total } = await listIdentities(ctx, by, page)
      return { items: operators.map(identityMessage), total, ...page }
    },
  }),

  createIdentity: rpc({
    access: MANAGE,
    input: z.object({ email: z.string(), password: z.string(), role: z.enum(ROLES).optional() }),
    handle: async (ctx, by, identity) => ({ identity: identityMessage(await createIdentity(ctx, by, identity)) }),
  }),

  deleteIdentity: rpc({
    access: MANAGE,
    async handle(ctx, by, { id }) {
      await deleteIdentity(ctx, by, { id })
      return {}
    },
  }),
})
