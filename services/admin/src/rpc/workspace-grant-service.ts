import { WorkspaceGrantServiceService } from '@svc/contracts/admin/v1/workspace_grant_service'
import { SCOPES } from '@svc/credentials'
import { inPerson, merchant, rpc, service, serving } from '@svc/grpc'
import { idField, pageFields, resourceId } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { grantVerdictMessage, workspaceGrantMessage } from '../messages/workspace-grant.ts'
import { createWorkspaceGrant } from '../use-cases/workspace-grants/create-workspace-grant.ts'
import { getActiveWorkspaceGrant } from '../use-cases/workspace-grants/get-active-workspace-grant.ts'
import { listWorkspaceGrants } from '../use-cases/workspace-grants/list-workspace-grants.ts'
import { recordDelegatedAct } from '../use-cases/workspace-grants/record-delegated-act.ts'
import { revokeWorkspaceGrant } from '../use-cases/workspace-grants/revoke-workspace-grant.ts'
import { verifyWorkspaceGrant } from '../use-cases/workspace-grants/verify-workspace-grant.ts'

const READ = merchant('orders:read', 'keys:manage')
/** Who acts for another gives nobody else a part in it. */
const MANAGE = inPerson(merchant('keys:manage'))
const GATEWAY = service('gateway')

const pair = { grantor_merchant_id: idField, grantee_merchant_id: idField }

/** One merchant lets another act for it. */
export const workspaceGrantService = serving<Context>()(WorkspaceGrantServiceService, {
  listWorkspaceGrants: rpc({
    access: READ,
    input: z.object(pageFields()),
    async handle(ctx, by, page) {
      const { grants, total } = await listWorkspaceGrants(ctx, by, page)
      return { items: grants.map(workspaceGrantMessage), total, ...page }
    },
  }),

  createWorkspaceGrant: rpc({
    access: MANAGE,
    input: z.object({ grantee_merchant_id: idField, scopes: z.array(z.enum(SCOPES)).min(1) }),
    handle: async (ctx, by, { grantee_merchant_id: grantee, scopes }) => ({
      grant: workspaceGrantMessage(await createWorkspaceGrant(ctx, by, { grantee, scopes })),
    }),
  }),

  getActiveWorkspaceGrant: rpc({
    access: READ,
    handle: async (ctx, by, { grantor_merchant_id: grantor }) => ({
      grant: workspaceGrantMessage(await getActiveWorkspaceGrant(ctx, by, { grantor: resourceId(grantor) })),
    }),
  }),

  revokeWorkspaceGrant: rpc({
    access: MANAGE,
    async handle(ctx, by, { id }) {
      await revokeWorkspaceGrant(ctx, by, { id: resourceId(id) })
      return {}
    },
  }),

  verifyWorkspaceGrant: rpc({
    access: GATEWAY,
    input: z.object(pair),
    handle: async (ctx, by, { grantor_merchant_id: grantor, grantee_merchant_id: grantee }) =>
      grantVerdictMessage(await verifyWorkspaceGrant(ctx, by, { grantor, grantee })),
  }),

  recordDelegatedAct: rpc({
    access: GATEWAY,
    input: z.object({
      ...pair,
      epoch: z.int(),
      actor_type: z.enum(['merchant_key', 'merchant_user']),
      actor_id: z.string(),
      is_test: z.boolean(),
      operation: z.string(),
      path: z.string().max(2048),
      ip: z.string().optional(),
    }),
    async handle(ctx, by, { grantor_merchant_id: grantor, grantee_merchant_id: grantee, ...act }) {
      const { actor_type: type, actor_id: id, is_test: isTest, epoch, operation, path, ip } = act
      await recordDelegatedAct(ctx, by, { grantor, grantee, epoch, actor: { type, id }, isTest, operation, path, ip })
      return {}
    },
  }),
})
