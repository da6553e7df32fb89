import type { Caller } from '@svc/grpc'
import { type Acting, auditOf, type Fact } from '@svc/transact'
import type { ApiKey } from './domain/api-key.ts'
import type { CustomRole } from './domain/custom-role.ts'
import type { Merchant } from './domain/merchant.ts'
import type { Session } from './domain/session.ts'
import type { User } from './domain/user.ts'
import type { WorkspaceGrant } from './domain/workspace-grant.ts'
import { apiKeyMessage } from './messages/api-key.ts'
import { merchantMessage } from './messages/merchant.ts'
import { workspaceGrantMessage } from './messages/workspace-grant.ts'

type MerchantFactName = 'merchant.created' | 'merchant.updated'

/** A merchant exists; services that keep something per merchant begin here. */
export const merchantCreated = (merchant: Merchant) => merchantFact('merchant.created', merchant)

/** Settings or standing of a merchant changed; the fact holds all of them. */
export const merchantUpdated = (merchant: Merchant) => merchantFact('merchant.updated', merchant)

function merchantFact(type: MerchantFactName, merchant: Merchant): Fact<MerchantFactName> {
  return {
    type,
    aggregateId: merchant.id,
    aggregateVersion: merchant.version,
    merchantId: merchant.id,
    isTest: false,
    payload: { merchant: merchantMessage(merchant) },
  }
}

/** The audit row of an act on a key. The key's public record is kept, of its secret nothing. */
export function apiKeyAudit(caller: Caller, action: string, key: ApiKey, before?: object) {
  const after = apiKeyMessage(key)
  return auditOf(caller, {
    action,
    resourceType: 'api_key',
    resourceId: key.id,
    merchantId: key.merchantId,
    isTest: key.isTest,
    before,
    after,
  })
}

type RoleState = Pick<CustomRole, 'id' | 'label' | 'permissionKeys'>

/** The audit row of an act on a role that operators made. */
export function customRoleAudit(
  caller: Caller,
  action: string,
  { before, after }: { before: RoleState; after?: RoleState } | { before?: undefined; after: RoleState },
) {
  const shown = (role: RoleState | undefined) => role && { label: role.label, permission_keys: role.permissionKeys }
  const { id: resourceId } = (before ?? after) as RoleState
  const states = { before: shown(before), after: shown(after) }
  return auditOf(caller, { action, resourceType: 'custom_role', resourceId, ...states })
}

/** The audit rows of an act on a grant, one in each of its tenants. */
export const workspaceGrantAudits = (
  caller: Caller,
  action: string,
  grant: WorkspaceGrant,
  merchantIds: readonly string[],
) =>
  merchantIds.map((merchantId) =>
    auditOf(caller, {
      action,
      resourceType: 'workspace_grant',
      resourceId: grant.id,
      merchantId,
      isTest: grant.isTest,
      after: workspaceGrantMessage(grant),
    }),
  )

/** The audit row of a change of a merchant: the fields that changed, before and after. */
export function merchantAudit(caller: Caller, merchant: Merchant, was: object) {
  const is = merchantMessage(merchant) as object
  const silent = new Set(['version', 'updated_at'])
  const value = (record: object, name: string): unknown => (record as Record<string, unknown>)[name] ?? null
  const changed = Object.keys(is).filter((name) => !silent.has(name) && value(is, name) !== value(was, name))
  const pick = (record: object) => Object.fromEntries(changed.map((name) => [name, value(record, name)]))
  return auditOf(caller, {
    action: 'merchant.update',
    resourceType: 'merchant',
    resourceId: merchant.id,
    merchantId: merchant.id,
    // Settings hold for both environments.
    isTest: false,
    before: pick(was),
    after: pick(is),
  })
}

/** The audit row of an act on a user's account; nothing of what proves that it is theirs. */
export function userAudit(by: Acting, { id, merchantId }: User, action: string) {
  return auditOf(by, { action, resourceType: 'user', resourceId: id, merchantId, isTest: false })
}

/** The user, who has proven by a mail to be the one that calls. */
export const asUser = (caller: Caller, { id, merchantId }: User): Caller => ({
  ...caller,
  actor: { type: 'merchant_user', id },
  merchantId,
})

/** The audit row of a family that ended before its time. Its holder counts as the actor. */
export function sessionAudit(caller: Caller, session: Session, reason: 'refresh_reuse' | 'logout') {
  return auditOf(
    { ...caller, actor: actorOf(session.credential), merchantId: session.merchantId ?? undefined },
    {
      action: 'session.revoke',
      resourceType: 'session',
      resourceId: session.id,
      isTest: session.isTest ?? false,
      after: { reason, generation: session.generation },
    },
  )
}

const ACTORS = { user: 'merchant_user', rider: 'rider' } as const

function actorOf(credential: string): Caller['actor'] {
  const [kind, id] = credential.split(':') as [string, string]
  return { type: ACTORS[kind as keyof typeof ACTORS] ?? 'merchant_key', id }
}
