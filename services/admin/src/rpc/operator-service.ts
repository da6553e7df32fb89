import { OperatorServiceService } from '@svc/contracts/admin/v1/operator_service'
import { PERMISSIONS } from '@svc/credentials'
import { anyone, operator, rpc, serving } from '@svc/grpc'
import { pageFields, text } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { ROLES } from '../domain/operator.ts'
import { customRoleMessage } from '../messages/custom-role.ts'
import { adminTokenMessage, identityMessage } from '../messages/operator.ts'
import { assignCustomRole } from '../use-cases/operators/assign-custom-role.ts'
import { changeOperatorPassword } from '../use-cases/operators/change-operator-password.ts'
import { checkSecondApprover } from '../use-cases/operators/check-second-approver.ts'
import { createCustomRole } from '../use-cases/operators/create-custom-role.ts'
import { createIdentity } from '../use-cases/operators/create-identity.ts'
import { deleteCustomRole } from '../use-cases/operators/delete-custom-role.ts'
import { deleteIdentity } from '../use-cases/operators/delete-identity.ts'
import { exchangeAdminToken } from '../use-cases/operators/exchange-admin-token.ts'
import { listCustomRoles } from '../use-cases/operators/list-custom-roles.ts'
import { listIdentities } from '../use-cases/operators/list-identities.ts'
import { logInOperator } from '../use-cases/operators/log-in-operator.ts'
import { updateCustomRole } from '../use-cases/operators/update-custom-role.ts'

const MANAGE = operator('admin.rbac.manage')

const label = text(64)
const permissionKeys = z.array(z.enum(PERMISSIONS)).max(100)

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

  listCustomRoles: rpc({
    access: MANAGE,
    input: z.object(pageFields()),
    async handle(ctx, by, page) {
      const { roles, total } = await listCustomRoles(ctx, by, page)
      return { items: roles.map(customRoleMessage), total, ...page }
    },
  }),

  createCustomRole: rpc({
    access: MANAGE,
    input: z.object({ label, permission_keys: permissionKeys }),
    handle: async (ctx, by, { label, permission_keys }) => ({
      custom_role: customRoleMessage(await createCustomRole(ctx, by, { label, permissionKeys: permission_keys })),
    }),
  }),

  updateCustomRole: rpc({
    access: MANAGE,
    input: z.object({
      id: z.string(),
      label: label.optional(),
      permission_keys: z.object({ values: permissionKeys }).optional(),
    }),
    handle: async (ctx, by, { permission_keys, ...change }) => ({
      custom_role: customRoleMessage(
        await updateCustomRole(ctx, by, { ...change, permissionKeys: permission_keys?.values }),
      ),
    }),
  }),

  deleteCustomRole: rpc({
    access: MANAGE,
    async handle(ctx, by, { id }) {
      await deleteCustomRole(ctx, by, { id })
      return {}
    },
  }),

  assignCustomRole: rpc({
    access: MANAGE,
    handle: async (ctx, by, { email, role_id: roleId }) => ({
      identity: identityMessage(await assignCustomRole(ctx, by, { email, roleId })),
    }),
  }),

  deleteIdentity: rpc({
    access: MANAGE,
    async handle(ctx, by, { id }) {
      await deleteIdentity(ctx, by, { id })
      return {}
    },
  }),
})
