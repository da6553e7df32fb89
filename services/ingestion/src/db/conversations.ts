import { randomUUID } from 'node:crypto'
import type { Statement } from '@svc/database'
import type { Expiry } from '@svc/lifecycle'
import type { Tx } from '@svc/transact'
import type { Asked, Told } from '../domain/conversation.ts'

/** For how long a message without a shop's name is meant for the shop of the one before. */
const SESSION = `interval '2 hours'`

/** Between whom messages go. */
export interface Line {
  /** Whose secret signs them. */
  signer: string
  receiver: string
  sender: string
}

export interface Conversation extends Line {
  id: string
  merchantId: string
  externalOrderId: string
  told: Told
  asked: Asked | null
  isOfApp: boolean
  /** How many the customer has sent. */
  messages: number
}

const COLUMNS = `id, signer, receiver, sender, merchant_id AS "merchantId", external_order_id AS "externalOrderId", told, asked,
  is_of_app AS "isOfApp", messages`

/** The conversation that is going on, or was until a moment ago, on a line, which is nobody else's until the commit. */
export async function lockConversation(tx: Tx, { signer, receiver, sender }: Line): Promise<Conversation | null> {
  await tx.sql('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`messages ${signer} ${receiver} ${sender}`])
  const { rows } = await tx.sql<Conversation>(
    `SELECT ${COLUMNS} FROM conversations
      WHERE signer = $1 AND receiver = $2 AND sender = $3 AND heard_at > (SELECT app_now()) - ${SESSION}
      ORDER BY heard_at DESC, id DESC LIMIT 1`,
    [signer, receiver, sender],
  )
  return rows[0] ?? null
}

/** Begins a conversation; it is the newest of its line from now on. */
export async function beginOn(tx: Tx, begun: Omit<Conversation, 'id' | 'messages'>): Promise<Conversation> {
  const conversation = { ...begun, id: randomUUID(), messages: 1 }
  const { id, signer, receiver, sender, merchantId, externalOrderId, told, asked, isOfApp } = conversation
  await tx.sql(
    `INSERT INTO conversations (id, signer, receiver, sender, merchant_id, external_order_id, told, asked, is_of_app, messages, heard_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1, app_now())`,
    [id, signer, receiver, sender, merchantId, externalOrderId, JSON.stringify(told), asked, isOfApp],
  )
  return conversation
}

/** Keeps what a further message has told; with the hook of that message where it has confirmed all of it. */
export async function storeTurn(
  tx: Tx,
  { id }: Pick<Conversation, 'id'>,
  { told, asked, hookId }: { told: Told; asked: Asked | null; hookId: string | null },
): Promise<void> {
  await tx.sql(
    `UPDATE conversations SET told = $2, asked = $3, hook_id = coalesce($4, hook_id), messages = messages + 1, heard_at = app_now()
      WHERE id = $1`,
    [id, JSON.stringify(told), asked, hookId],
  )
}

/** The conversation that a message has confirmed: no row for any other message. */
export const confirmedBy = (hookId: string): Statement => ({
  text: `SELECT ${COLUMNS} FROM conversations WHERE hook_id = $1`,
  params: [hookId],
})

/** The same within a transaction. */
export async function findConfirmed(tx: Tx, hookId: string): Promise<Conversation | null> {
  const { text, params } = confirmedBy(hookId)
  const { rows } = await tx.sql<Conversation>(text, params)
  return rows[0] ?? null
}

/** How many messages have come within an hour on a line; of more than `most` no more than that they are more. */
export const messagesOfLine = (
  tx: Pick<Tx, 'sql'>,
  { signer, receiver, sender }: Line,
  most: number,
): Promise<number> =>
  messagesAmong(
    tx,
    `signer = $2 AND receiver = $3 AND sender = $4 AND heard_at > (SELECT app_now()) - interval '1 hour'`,
    [most + 1, signer, receiver, sender],
  )

/** The same of all that somebody has signed. */
export const messagesOfSigner = (tx: Pick<Tx, 'sql'>, signer: string, most: number): Promise<number> =>
  // Both columns as one: no index of times alone serves, by which the last hour of all signers would be read.
  messagesAmong(
    tx,
    `(signer, heard_at) > ($2, (SELECT app_now()) - interval '1 hour') AND (signer, heard_at) <= ($2, 'infinity')`,
    [most + 1, signer],
  )

/** Of so many conversations at most: each has a message at least. */
async function messagesAmong(tx: Pick<Tx, 'sql'>, wanted: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await tx.sql<{ count: number }>(
    `SELECT coalesce(sum(messages), 0)::int AS count
       FROM (SELECT messages FROM conversations WHERE ${wanted} ORDER BY signer DESC, heard_at DESC LIMIT $1) newest`,
    [...values],
  )
  return rows[0]!.count
}

/**
 * Whether a sender who named no shop is to be told how to: once in so many hours, and of all senders at most so many
 * within an hour, whatever numbers they claim to have.
 */
export async function takeWelcome(
  tx: Tx,
  { sender, everyHours, perHour }: { sender: string; everyHours: number; perHour: number },
): Promise<boolean> {
  await tx.sql(`SELECT pg_advisory_xact_lock(hashtextextended('welcomes', 0))`)
  const { rowCount } = await tx.sql(
    `INSERT INTO welcomed_senders AS known (sender, welcomed_at)
     SELECT $1, app_now()
      WHERE (SELECT count(*) FROM welcomed_senders WHERE welcomed_at > (SELECT app_now()) - interval '1 hour') < $3
     ON CONFLICT (sender) DO UPDATE SET welcomed_at = excluded.welcomed_at
      WHERE known.welcomed_at <= excluded.welcomed_at - make_interval(hours => $2)`,
    [sender, everyHours, perHour],
  )
  return rowCount > 0
}

/** What was talked about goes as hooks do: an operator may hand on a confirmed one until then. */
export const oldConversations = (days: number): readonly Expiry[] => [
  { table: 'conversations', age: 'heard_at', keep: `${days} * interval '1 day'` },
  { table: 'welcomed_senders', age: 'welcomed_at', keep: `interval '30 days'` },
]
