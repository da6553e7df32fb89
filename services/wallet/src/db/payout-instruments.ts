import type { Tx } from '@svc/transact'
import type { Owner } from '../domain/operation.ts'

export interface PayoutInstrumentRow {
  id: string
  bank_code: string
  bank_name: string | null
  account_name: string
  account_last4: string
  is_default: boolean
  frozen_until: Date | null
  created_at: Date
}

export interface NewPayoutInstrument {
  owner: Owner
  bankCode: string
  bankName: string | null
  accountName: string
  accountLast4: string
  recipientCode: string
  isDefault: boolean
  frozenUntil: Date | null
}

const COLUMNS = 'id, bank_code, bank_name, account_name, account_last4, is_default, frozen_until, created_at'
const OF_OWNER = 'owner_kind = $1 AND owner_id = $2'

/** Changes of an owner's instruments wait for each other until the transaction ends. */
export async function lockPayoutInstruments(tx: Tx, owner: Owner): Promise<void> {
  await tx.sql(`SELECT lock_subjects('payout_instruments', ARRAY[$1::uuid])`, [owner.id])
}

/** All instruments of an owner, newest first. */
export async function listPayoutInstruments(sql: Tx['sql'], owner: Owner): Promise<PayoutInstrumentRow[]> {
  const { rows } = await sql<PayoutInstrumentRow>(
    `SELECT ${COLUMNS} FROM payout_instruments WHERE ${OF_OWNER} ORDER BY created_at DESC, id DESC`,
    [owner.kind, owner.id],
  )
  return rows
}

/** Stores an instrument; null where its owner has that account already. */
export async function insertPayoutInstrument(tx: Tx, added: NewPayoutInstrument): Promise<PayoutInstrumentRow | null> {
  const { rows } = await tx.sql<PayoutInstrumentRow>(
    `INSERT INTO payout_instruments (owner_kind, owner_id, bank_code, bank_name, account_name, account_last4,
                                     recipient_code, is_default, frozen_until)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (owner_kind, owner_id, recipient_code) DO NOTHING RETURNING ${COLUMNS}`,
    [
      added.owner.kind,
      added.owner.id,
      added.bankCode,
      added.bankName,
      added.accountName,
      added.accountLast4,
      added.recipientCode,
      added.isDefault,
      added.frozenUntil,
    ],
  )
  return rows[0] ?? null
}

/** Leaves the owner without a default. */
export async function clearDefault(tx: Tx, owner: Owner): Promise<void> {
  await tx.sql(`UPDATE payout_instruments SET is_default = false WHERE ${OF_OWNER} AND is_default`, [
    owner.kind,
    owner.id,
  ])
}

/** Nothing is paid out to the owner's instruments until then, or longer where that is said already. */
export async function freezePayoutInstruments(tx: Tx, owner: Owner, until: Date): Promise<void> {
  await tx.sql(`UPDATE payout_instruments SET frozen_until = greatest(frozen_until, $3) WHERE ${OF_OWNER}`, [
    owner.kind,
    owner.id,
    until,
  ])
}

/** Makes an instrument the default of an owner that has none. */
export async function makeDefault(tx: Tx, id: string, frozenUntil: Date | null): Promise<PayoutInstrumentRow> {
  const { rows } = await tx.sql<PayoutInstrumentRow>(
    `UPDATE payout_instruments SET is_default = true, frozen_until = coalesce($2, frozen_until) WHERE id = $1
     RETURNING ${COLUMNS}`,
    [id, frozenUntil],
  )
  return rows[0]!
}
