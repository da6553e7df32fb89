import type { SettledTotals, Totals } from '@svc/database'
import type { Page } from '@svc/inputs'
import type { Tx } from '@svc/transact'
import type { AuditEntry } from '../domain/audit-entry.ts'

/** What entries are asked for by: those that match every one that is stated. */
export interface AuditFilter {
  merchant_id?: string | undefined
  action?: string | undefined
  resource_type?: string | undefined
  actor_type?: string | undefined
}

export interface LoggedEntry extends Omit<AuditEntry, 'at'> {
  seq: number
  at: Date
}

/** Texts of an entry beyond it are told by their size in lists; exports have them whole. */
const LISTED_BYTES = 64 * 1024
/** Of the texts of one piece of an export, unless a single entry has more. */
const PIECE_BYTES = 4 * 1024 * 1024
const PIECE_ROWS = 500

const COLUMNS = `event_id, seq, at, actor_type, actor_id, on_behalf_of, merchant_id, action, resource_type, resource_id, ip,
                 request_id, trace_id`

const listed = (column: string) => `
  CASE WHEN octet_length(${column}::text) > ${LISTED_BYTES}
       THEN json_build_object('left_out_bytes', octet_length(${column}::text))::text ELSE ${column}::text END AS ${column}`

const FILTERS = ['merchant_id', 'action', 'resource_type', 'actor_type'] as const

function conditionsOf(filter: AuditFilter): { where: string; params: string[] } {
  const stated = FILTERS.filter((name) => filter[name] !== undefined)
  return {
    where: stated.map((name, i) => `AND ${name} = $${i + 1}`).join(' '),
    params: stated.map((name) => filter[name] as string),
  }
}

/**
 * Newest first, with the number of all that match, counted no further than lists are where a filter is
 * stated. Numbers have no gaps: of the whole log the highest is the number of its entries, and says where a page begins. Of a part an index has the numbers, so that only the rows of the page are read.
 */
export async function listEntries(
  { tx, ...totals }: { tx: Tx; totals: Totals; settledTotals: SettledTotals },
  filter: AuditFilter,
  { limit, offset }: Page,
): Promise<{ entries: LoggedEntry[]; total: number }> {
  const { where, params } = conditionsOf(filter)
  const isPart = params.length > 0
  const total = isPart
    ? await countPart(tx, totals, { found: `audit_log WHERE true ${where}`, params })
    : await lastSeq(tx)
  const [last, before] = [`$${params.length + 1}`, `$${params.length + 2}`]
  const page = isPart
    ? `SELECT seq FROM audit_log WHERE true ${where} ORDER BY seq DESC LIMIT ${last} OFFSET ${before}`
    : `SELECT seq FROM audit_log WHERE seq <= ${before} ORDER BY seq DESC LIMIT ${last}`
  const { rows } = await tx.sql<LoggedEntry>(
    `SELECT ${COLUMNS}, ${listed('before_json')}, ${listed('after_json')}
       FROM audit_log JOIN (${page}) AS page USING (seq) ORDER BY seq DESC`,
    [...params, limit, isPart ? offset : total - offset],
  )
  return { entries: rows, total }
}

const LAST = 'SELECT coalesce(max(seq), 0) AS last FROM audit_log'

const lastSeq = async (tx: Tx): Promise<number> => Number((await tx.sql<{ last: number }>(LAST)).rows[0]!.last)

/** An entry never changes, and none comes below the last one: what was counted is not counted again. */
async function countPart(
  tx: Tx,
  { totals, settledTotals }: { totals: Totals; settledTotals: SettledTotals },
  part: { found: string; params: string[] },
): Promise<number> {
  const order = { column: 'seq', settled: `(${LAST}) + 1` }
  const counting = totals.of('every tenant', part.found, part.params, settledTotals.of({ ...part, order }))
  const [count] = counting.statements
  return counting.total(count && (await tx.sql<object>(count.text, count.params)).rows[0])
}

/** The highest number, and whether more entries match than so many. */
export async function beginExport(
  tx: Tx,
  filter: AuditFilter,
  limit: number,
): Promise<{ fromSeq: number; isTruncated: boolean }> {
  const { where, params } = conditionsOf(filter)
  const { rows } = await tx.sql<{ from_seq: number; more: boolean }>(
    `SELECT coalesce((SELECT max(seq) FROM audit_log), 0) AS from_seq,
            EXISTS (SELECT FROM audit_log WHERE true ${where} ORDER BY seq DESC LIMIT 1 OFFSET $${params.length + 1}) AS more`,
    [...params, limit],
  )
  const [found] = rows
  return { fromSeq: Number(found?.from_seq), isTruncated: found?.more === true }
}

/** A piece of an export, newest first: so many entries from a number downwards, and no more than a reply should hold. */
export async function readPiece(
  tx: Tx,
  filter: AuditFilter,
  { fromSeq, limit }: { fromSeq: number; limit: number },
): Promise<LoggedEntry[]> {
  const { where, params } = conditionsOf(filter)
  const { rows } = await tx.sql<LoggedEntry>(
    `SELECT ${COLUMNS}, before_json, after_json
       FROM (SELECT ${COLUMNS}, before_json, after_json, row_number() OVER newest AS place,
                    sum(coalesce(octet_length(before_json), 0) + coalesce(octet_length(after_json), 0)) OVER newest AS bytes
               FROM (SELECT ${COLUMNS}, before_json::text AS before_json, after_json::text AS after_json FROM audit_log
                      WHERE seq <= $${params.length + 1} ${where} ORDER BY seq DESC LIMIT $${params.length + 2}) AS next
             WINDOW newest AS (ORDER BY seq DESC)) AS piece
      WHERE place = 1 OR bytes <= ${PIECE_BYTES} ORDER BY seq DESC`,
    [...params, fromSeq, Math.min(limit, PIECE_ROWS)],
  )
  return rows
}
