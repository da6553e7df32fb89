import { randomUUID } from 'node:crypto'
import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import type { Database, Tenant } from '@svc/database'
import { ServiceError } from '@svc/errors'
import { isUuid, type Page } from '@svc/inputs'
import type { OrmTx, Tx } from '@svc/transact'
import { type Given, WorkspaceGrant } from '../domain/workspace-grant.ts'

/** A grant of the tenant to another merchant. */
export function insertGrant({ em, now }: OrmTx, { merchantId }: Tenant, grantee: string, given: Given): WorkspaceGrant {
  return em.create(WorkspaceGrant, {
    id: randomUUID(),
    grantorMerchantId: merchantId,
    granteeMerchantId: grantee,
    ...given,
    epoch: 1,
    createdAt: now,
  })
}

/** How often a pair may be given its grant within 24 hours: each time stands in the log of a tenant that was not asked. */
const GIVEN_A_DAY = 10

/** Notes that a grant, which is locked, is given again; throws limit_reached, naming when it may be, where that is too often. */
export async function noteGivenAgain(tx: Tx, id: string): Promise<void> {
  const { rows } = await tx.sql<{ at: string; wait: number }>(
    `SELECT at::text, ceil(extract(epoch FROM at + interval '24 hours' - $2::timestamptz))::int AS wait
       FROM workspace_grants g, unnest(g.given_again_at || g.created_at) at
      WHERE g.id = $1 AND at > $2::timestamptz - interval '24 hours' GROUP BY at ORDER BY at`,
    [id, tx.now],
  )
  const [first] = rows
  if (first && rows.length >= GIVEN_A_DAY) {
    const again_at = new Date(tx.now.getTime() + first.wait * 1_000).toISOString()
    throw new ServiceError('limit_reached', {
      message: 'This grant was given too often today.',
      details: { limit: GIVEN_A_DAY, again_at },
      retryAfterSeconds: first.wait,
    })
  }
  const times = [...rows.map(({ at }) => at), tx.now.toISOString()]
  await tx.sql('UPDATE workspace_grants SET given_again_at = $2::timestamptz[] WHERE id = $1', [id, times])
}

/** Of the grants to one merchant, how many change within 24 hours with an entry in its log: it was not asked for any of them. */
const HEARD_A_DAY = 100

/** Whose logs hold that a grant was given or ended: both tenants', but not of whoever so many others have given theirs today. */
export async function logsOfGrant(
  tx: Tx,
  { id, grantorMerchantId, granteeMerchantId }: WorkspaceGrant,
): Promise<string[]> {
  const { rows } = await tx.sql<{ others: number }>(
    `SELECT count(*)::int AS others FROM (
       SELECT FROM workspace_grants
        WHERE grantee_merchant_id = $1 AND id <> $2
          AND greatest(created_at, revoked_at, given_again_at[cardinality(given_again_at)]) > $3::timestamptz - interval '24 hours'
        LIMIT ${HEARD_A_DAY}) AS changed`,
    [granteeMerchantId, id, tx.now],
  )
  return rows[0]!.others < HEARD_A_DAY ? [grantorMerchantId, granteeMerchantId] : [grantorMerchantId]
}

/** Those that the tenant gave or has, newest first, with the number of all. */
export function listGrants(
  em: EntityManager,
  { merchantId }: Tenant,
  { limit, offset }: Page,
): Promise<[WorkspaceGrant[], number]> {
  const ours = { $or: [{ grantorMerchantId: merchantId }, { granteeMerchantId: merchantId }] }
  return em.findAndCount(WorkspaceGrant, ours, { limit, offset, orderBy: { createdAt: 'desc', id: 'desc' } })
}

/** What the merchant gave and is not revoked, held against other writers. */
export const lockActiveGrants = (em: EntityManager, merchant: { id: string }): Promise<WorkspaceGrant[]> =>
  em.find(
    WorkspaceGrant,
    { grantorMerchantId: merchant.id, revokedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  )

/** What the tenant gave to the merchant, revoked or not, held against other writers. */
export function lockGrantTo(
  em: EntityManager,
  { merchantId }: Tenant,
  grantee: string,
): Promise<WorkspaceGrant | null> {
  const pair = { grantorMerchantId: merchantId, granteeMerchantId: grantee }
  return em.findOne(WorkspaceGrant, pair, { lockMode: LockMode.PESSIMISTIC_WRITE })
}

/** A grant of the tenant, held against other writers; forbidden to who has it, not_found to everybody else. */
export async function lockGivenGrant(em: EntityManager, { merchantId }: Tenant, id: string): Promise<WorkspaceGrant> {
  const grant = isUuid(id) ? await em.findOne(WorkspaceGrant, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE }) : null
  if (grant?.grantorMerchantId === merchantId) return grant
  if (grant?.granteeMerchantId !== merchantId) throw new ServiceError('not_found')
  throw new ServiceError('forbidden', {
    message: 'A grant is revoked by the merchant that gave it.',
    details: { reason: 'grantor_only' },
  })
}

/** The active grant by which the tenant may act for the merchant, in the tenant's environment. */
export async function findActiveGrant(
  em: EntityManager,
  { merchantId, isTest }: Tenant,
  grantor: string,
): Promise<WorkspaceGrant> {
  const grant = await em.findOne(WorkspaceGrant, {
    grantorMerchantId: grantor,
    granteeMerchantId: merchantId,
    revokedAt: null,
    // A live credential has no part in what reaches the sandbox alone.
    ...(isTest === false ? { isTest: false } : {}),
  })
  if (!grant) throw new ServiceError('not_found')
  return grant
}

/** How many merchants the tenant has ever given a grant. */
export const countGrantees = (em: EntityManager, { merchantId }: Tenant): Promise<number> =>
  em.count(WorkspaceGrant, { grantorMerchantId: merchantId })

export interface GrantVerdictRow {
  id: string
  scopes: string[]
  is_test: boolean
  epoch: number
  revoked: boolean
  may_trade_live: boolean
  merchant_id: string
  billing_status: string
  kyb_status: string
  business_approval_status: string
}

const VERDICT = `
  SELECT g.id, g.scopes, g.is_test, g.epoch, g.revoked_at IS NOT NULL AS revoked,
         m.kyb_status = 'verified' AND m.business_approval_status = 'approved' AS may_trade_live,
         m.id AS merchant_id, m.billing_status, m.kyb_status, m.business_approval_status
    FROM workspace_grants g JOIN merchants m ON m.id = g.grantor_merchant_id
   WHERE g.grantor_merchant_id = $1 AND g.grantee_merchant_id = $2`

/** What one merchant may do for another, and where that one stands: one prepared statement, as it runs at every cache miss. */
export async function readGrantVerdict(
  database: Database,
  grantor: string,
  grantee: string,
): Promise<GrantVerdictRow | undefined> {
  const { rows } = await database.worker.query<GrantVerdictRow>({
    name: 'grant-verdict',
    text: VERDICT,
    values: [grantor, grantee],
  })
  return rows[0]
}

/** The same, held against its end. */
export async function holdGrantVerdict(tx: Tx, grantor: string, grantee: string): Promise<GrantVerdictRow | undefined> {
  const { rows } = await tx.sql<GrantVerdictRow>(`${VERDICT} FOR SHARE OF g`, [grantor, grantee])
  return rows[0]
}
