import type { OperatorServiceService } from '@svc/contracts/admin/v1/operator_service'
import { type Handlers, requireAdmin } from '@svc/grpc'
import { pageOf } from '@svc/inputs'
import type { Context } from '../context.ts'
import { adminTokenMessage, identityMessage } from '../messages/operator.ts'
import { createIdentity } from '../use-cases/operators/create-identity.ts'
import { deleteIdentity } from '../use-cases/operators/delete-identity.ts'
import { exchangeAdminToken } from '../use-cases/operators/exchange-admin-token.ts'
import { listIdentities } from '../use-cases/operators/list-identities.ts'
import { logInOperator } from '../use-cases/operators/log-in-operator.ts'

const MAX_IDENTITIES = 200

/** Operators over gRPC. */
export function operatorService(ctx: Context): Handlers<OperatorServiceService> {
  return {
    async exchangeAdminToken({ token }, { caller }) {
      return { token: adminTokenMessage(await exchangeAdminToken(ctx, caller, token)) }
    },
    async logInOperator(request, { caller }) {
      return { token: adminTokenMessage(await logInOperator(ctx, caller, request)) }
    },
    async listIdentities(asked, call) {
      requireAdmin(call, 'admin.rbac.manage')
      const page = pageOf(asked, MAX_IDENTITIES)
      const { operators, total } = await listIdentities(ctx, page)
      return { items: operators.map(identityMessage), total, ...page }
    },
    async createIdentity(request, call) {
      const caller = requireAdmin(call, 'admin.rbac.manage')
      return { identity: identityMessage(await createIdentity(ctx, caller, request)) }
    },
    async deleteIdentity({ id }, call) {
      await deleteIdentity(ctx, requireAdmin(call, 'admin.rbac.manage'), id)
      return {}
    },
  }
}
