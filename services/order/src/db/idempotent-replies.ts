import type { Idempotency } from '@svc/contracts/common/v1/common'
import { ServiceError } from '@svc/errors'
import type { Tx } from '@svc/transact'
import type { WriteTenant } from '../domain/tenant.ts'
import { type Creation, decodeReply, encodeReply } from '../messages/creation-reply.ts'
import { CREATE_ORDER_ROUTE } from './store-order.ts'

interface Row {
  request_hash: Buffer
  reply: Buffer
  created_at: Date
}

/** The reply kept for the key; null when there is none; idempotency_conflict when it answered another request. */
export async function findReply(
  tx: Tx,
  tenant: WriteTenant,
  { key, request_hash }: Idempotency,
): Promise<Creation | null> {
  const {
    rows: [row],
  } = await tx.sql<Row>(
    `SELECT request_hash, reply, created_at FROM idempotency
      WHERE merchant_id = $1 AND is_test = $2 AND route = $3 AND key = $4 AND expires_at > $5`,
    [tenant.merchantId, tenant.isTest, CREATE_ORDER_ROUTE, key, tx.now],
  )
  if (!row) return null
  if (!row.request_hash.equals(request_hash)) throw new ServiceError('idempotency_conflict')
  return decodeReply(row.reply, row.created_at)
}

/** Puts a fuller reply in the place of the one that is kept; its time stays. */
export async function replaceReply(
  tx: Tx,
  { merchantId, isTest }: WriteTenant,
  { key }: Idempotency,
  creation: Creation,
): Promise<void> {
  await tx.sql(
    'UPDATE idempotency SET reply = $5 WHERE merchant_id = $1 AND is_test = $2 AND route = $3 AND key = $4',
    [merchantId, isTest, CREATE_ORDER_ROUTE, key, encodeReply(creation)],
  )
}

/** Keeps a reply for 24 hours; false when a concurrent request with the same key has kept one. */
export async function keepReply(
  tx: Tx,
  tenant: WriteTenant,
  { key, request_hash }: Idempotency,
  creation: Creation,
): Promise<boolean> {
  const { rowCount } = await tx.sql(
    `INSERT INTO idempotency AS i (merchant_id, is_test, route, key, request_hash, reply, resource_id, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8::timestamptz + interval '24 hours')
     ON CONFLICT (merchant_id, is_test, route, key) DO UPDATE
       SET request_hash = excluded.request_hash, reply = excluded.reply, resource_id = excluded.resource_id,
           created_at = excluded.created_at, expires_at = excluded.expires_at
       WHERE i.expires_at <= excluded.created_at`,
    [
      tenant.merchantId,
      tenant.isTest,
      CREATE_ORDER_ROUTE,
      key,
      Buffer.from(request_hash),
      encodeReply(creation),
      creation.order.id,
      tx.now,
    ],
  )
  return rowCount === 1
}
