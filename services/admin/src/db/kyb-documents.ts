import { randomUUID } from 'node:crypto'
import { boundedCount } from '@svc/database'
import type { Page } from '@svc/inputs'
import type { Expiry } from '@svc/lifecycle'
import type { ObjectAge } from '@svc/object-store'
import type { Tx } from '@svc/transact'
import type { DocumentContent, DocumentCounts, DocumentType, ScanStatus } from '../domain/kyb.ts'

/** Places for uploads that nobody has used: no URL is good for them any more. */
export const unusedUploads: Expiry = {
  table: 'kyb_documents',
  age: 'created_at',
  keep: `interval '1 day'`,
  where: 'added_at IS NULL',
}

/** Infected documents that count for nothing since their merchant submitted again: the store has none of them. */
export const leftOutDocuments: Expiry = { table: 'kyb_documents', age: 'left_out_at', keep: `interval '30 days'` }

/** A place for an upload. */
export interface KybUpload {
  id: string
  merchantId: string
  storageKey: string
  documentType: DocumentType
  fileName: string
  contentType: DocumentContent
  sizeBytes: number
}

/** A document of a business's file. */
export interface KybDocument extends KybUpload {
  addedAt: Date
  scanStatus: ScanStatus
  /** What was found in an infected one; why a scan failed. */
  scanDetail: string | null
  scannedAt: Date | null
  /** How often the scanner has answered without a verdict. */
  scanRefusals: number
}

const COLUMNS = `id, merchant_id AS "merchantId", storage_key AS "storageKey", document_type AS "documentType",
  file_name AS "fileName", content_type AS "contentType", size_bytes AS "sizeBytes", added_at AS "addedAt",
  scan_status AS "scanStatus", scan_detail AS "scanDetail", scanned_at AS "scannedAt", scan_refusals AS "scanRefusals"`

/** Notes where a document is about to be uploaded. */
export async function insertUpload(tx: Tx, upload: Omit<KybUpload, 'id'>): Promise<void> {
  const { merchantId, storageKey, documentType, fileName, contentType, sizeBytes } = upload
  await tx.sql(
    `INSERT INTO kyb_documents (id, merchant_id, storage_key, document_type, file_name, content_type, size_bytes, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [randomUUID(), merchantId, storageKey, documentType, fileName, contentType, sizeBytes, tx.now],
  )
}

/** What a merchant has: places that it has not used, documents that count, and those left out. */
export async function countDocuments(tx: Tx, merchantId: string): Promise<DocumentCounts> {
  const { rows } = await tx.sql<DocumentCounts>(
    `SELECT count(*) FILTER (WHERE added_at IS NULL)::int AS unused,
            count(*) FILTER (WHERE added_at IS NOT NULL AND left_out_at IS NULL)::int AS added,
            count(left_out_at)::int AS "leftOut"
       FROM kyb_documents WHERE merchant_id = $1`,
    [merchantId],
  )
  return rows[0]!
}

/** The merchant's upload or document of that key; of one that was not added yet, and still may be, `addedAt` is null. */
export async function findUpload(
  tx: Tx,
  merchantId: string,
  storageKey: string,
): Promise<(KybUpload & { addedAt: Date | null }) | undefined> {
  const { rows } = await tx.sql<KybUpload & { addedAt: Date | null }>(
    `SELECT ${COLUMNS} FROM kyb_documents WHERE merchant_id = $1 AND storage_key = $2
        AND (added_at IS NOT NULL OR created_at > (SELECT app_now() - ${unusedUploads.keep}))`,
    [merchantId, storageKey],
  )
  return rows[0]
}

/**
 * Makes the upload a document; undefined where it is one already, or is so old that its object may be removed at this moment:
 * what is listed for removal can never be added.
 */
export async function addDocument(
  tx: Tx,
  { merchantId, id }: KybUpload,
  scanStatus: ScanStatus,
): Promise<KybDocument | undefined> {
  const { rows } = await tx.sql<KybDocument>(
    `UPDATE kyb_documents SET added_at = $3, scan_status = $4
      WHERE merchant_id = $1 AND id = $2 AND added_at IS NULL AND created_at > (SELECT app_now() - ${unusedUploads.keep})
     RETURNING ${COLUMNS}`,
    [merchantId, id, tx.now, scanStatus],
  )
  return rows[0]
}

/** The merchant's documents, newest first, with the number of all. */
export async function listDocuments(
  tx: Tx,
  merchantId: string,
  { limit, offset }: Page,
): Promise<{ documents: KybDocument[]; total: number }> {
  const { rows } = await tx.sql<KybDocument>(
    `SELECT ${COLUMNS} FROM kyb_documents WHERE merchant_id = $1 AND added_at IS NOT NULL
      ORDER BY added_at DESC, id DESC LIMIT $2 OFFSET $3`,
    [merchantId, limit, offset],
  )
  const { rows: counted } = await tx.sql<{ total: number }>(
    boundedCount('kyb_documents WHERE merchant_id = $1 AND added_at IS NOT NULL'),
    [merchantId],
  )
  return { documents: rows, total: counted[0]!.total }
}

/** The documents that count, in the order in which they were added. */
export async function documentsOfFile(tx: Tx, merchantId: string): Promise<KybDocument[]> {
  const { rows } = await tx.sql<KybDocument>(
    `SELECT ${COLUMNS} FROM kyb_documents WHERE merchant_id = $1 AND added_at IS NOT NULL AND left_out_at IS NULL
      ORDER BY added_at, id`,
    [merchantId],
  )
  return rows
}

/** The ids of infected documents that count. */
export async function infectedDocuments(tx: Tx, merchantId: string): Promise<string[]> {
  const { rows } = await tx.sql<{ id: string }>(
    `SELECT id FROM kyb_documents WHERE merchant_id = $1 AND scan_status = 'infected' AND left_out_at IS NULL ORDER BY id`,
    [merchantId],
  )
  return rows.map(({ id }) => id)
}

/** From now on infected documents count for nothing. */
export async function leaveOutInfected(tx: Tx, merchantId: string): Promise<void> {
  await tx.sql(
    `UPDATE kyb_documents SET left_out_at = $2
      WHERE merchant_id = $1 AND scan_status = 'infected' AND left_out_at IS NULL`,
    [merchantId, tx.now],
  )
}

/** The document, which is being scanned from now on unless its scan is over; undefined: there is none. */
export async function beginScan(tx: Tx, merchantId: string, id: string): Promise<KybDocument | undefined> {
  await tx.sql(
    `UPDATE kyb_documents SET scan_status = 'scanning' WHERE merchant_id = $1 AND id = $2 AND scan_status = 'pending'`,
    [merchantId, id],
  )
  const { rows } = await tx.sql<KybDocument>(
    `SELECT ${COLUMNS} FROM kyb_documents WHERE merchant_id = $1 AND id = $2`,
    [merchantId, id],
  )
  return rows[0]
}

/** Notes what a scan came to; false where another has told already. */
export async function settleScan(
  tx: Tx,
  { merchantId, id }: KybDocument,
  { status, detail, isRefusal = false }: { status: ScanStatus; detail: string | null; isRefusal?: boolean },
): Promise<boolean> {
  const scannedAt = status === 'pending' ? null : tx.now
  const { rowCount } = await tx.sql(
    `UPDATE kyb_documents SET scan_status = $3, scan_detail = $4, scanned_at = $5, scan_refusals = scan_refusals + $6::int
      WHERE merchant_id = $1 AND id = $2 AND scan_status IN ('pending', 'scanning')`,
    [merchantId, id, status, detail, scannedAt, isRefusal ? 1 : 0],
  )
  return rowCount > 0
}

/** Documents of any merchant that nobody was there to scan, oldest first; they wait for a scan from now on. */
export async function takeUnscanned(tx: Tx, limit: number): Promise<KybDocument[]> {
  const { rows } = await tx.sql<KybDocument>(
    `UPDATE kyb_documents SET scan_status = 'pending' WHERE id = ANY(ARRAY(
       SELECT id FROM kyb_documents WHERE scan_status = 'unavailable'
        ORDER BY added_at LIMIT $1 FOR UPDATE SKIP LOCKED))
     RETURNING ${COLUMNS}`,
    [limit],
  )
  return rows
}

/** Places for uploads of any merchant that are past their time, oldest first; of them those behind `after`. */
export async function oldestUnusedUploads(tx: Tx, after: ObjectAge | null, limit: number): Promise<ObjectAge[]> {
  const { rows } = await tx.sql<ObjectAge>(
    `SELECT storage_key AS "storageKey", created_at::text AS at FROM kyb_documents
      WHERE added_at IS NULL AND created_at < (SELECT app_now() - ${unusedUploads.keep})
        AND ($1::timestamptz IS NULL OR (created_at, storage_key) > ($1, $2))
      ORDER BY created_at, storage_key LIMIT $3`,
    [after?.at ?? null, after?.storageKey ?? null, limit],
  )
  return rows
}

/** Removes places whose objects are gone; one that became a document meanwhile stays. */
export async function deleteUnusedUploads(tx: Tx, storageKeys: readonly string[]): Promise<void> {
  if (storageKeys.length === 0) return
  await tx.sql('DELETE FROM kyb_documents WHERE added_at IS NULL AND storage_key = ANY($1)', [storageKeys])
}
