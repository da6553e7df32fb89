import { ScanRefusedError } from '@svc/clamd'
import { ServiceError } from '@svc/errors'
import { systemCaller } from '@svc/grpc'
import { type Intent, openIntent } from '@svc/intents'
import { createLogger } from '@svc/logging'
import { metrics } from '@svc/telemetry'
import { auditOf, type Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { beginScan, type KybDocument, settleScan } from '../../db/kyb-documents.ts'
import { isScanOver, type ScanStatus } from '../../domain/kyb.ts'

/** The kind of the intents by which documents are scanned. */
export const KYB_SCAN = 'kyb_scan'

/** A scanner that answers, and not with a verdict, is asked so often; one that does not answer is waited for. */
const MOST_REFUSALS = 5
/** Less than the lease of a scan, so that no two run of one document: for the store and the scanner together. */
const SCAN_TIMEOUT_MS = 60_000
const logger = createLogger('kyb-scans')

/** Records that the document is to be scanned, once the transaction has committed. */
export async function openScan(ctx: Context, tx: Tx, { merchantId, id }: KybDocument): Promise<void> {
  await openIntent(tx, { kind: KYB_SCAN, subjectId: id, merchantId, payload: {} })
  tx.afterCommit(ctx.scans.wake)
}

interface Outcome {
  status: ScanStatus
  detail: string | null
  /** The scanner has answered, and not with a verdict. */
  isRefusal?: true
}

/**
 * Has a document scanned, however often that takes: a scanner or a store that does not answer ends nothing. Only the scanner's
 * word makes one clean. What is infected is removed from the store, before or after any death of a process.
 */
export async function scanKybDocument(ctx: Context, { subject_id: id, merchant_id, tries }: Intent): Promise<object> {
  const scope = { merchantId: merchant_id!, isTest: null }
  const document = await ctx.transact(scope, (tx) => beginScan(tx, scope.merchantId, id))
  if (!document) return { scan: 'no_document' }
  let { scanStatus: status } = document
  if (!isScanOver(status)) {
    const outcome = await judged(ctx, document, tries)
    const told = await ctx.transact(scope, (tx) => settle(tx, document, outcome))
    if (outcome.status === 'pending') throw new ServiceError('service_unavailable', { message: 'Not scanned yet.' })
    // Of two that scanned it the first has told: its word decides about the object.
    status = told
      ? outcome.status
      : await ctx.transact(scope, async (tx) => (await beginScan(tx, scope.merchantId, id))!.scanStatus)
  }
  if (status === 'infected') await ctx.objectStore?.remove(document.storageKey)
  return { scan: status }
}

async function judged(
  ctx: Context,
  { id, storageKey, sizeBytes, scanRefusals }: KybDocument,
  tries: number,
): Promise<Outcome> {
  const { scanner, objectStore } = ctx
  if (!scanner || !objectStore) return { status: 'pending', detail: 'not_configured' }
  const reading = new AbortController()
  try {
    const signal = AbortSignal.any([reading.signal, AbortSignal.timeout(SCAN_TIMEOUT_MS)])
    const bytes = await objectStore.read(storageKey, signal)
    if (!bytes) return { status: 'failed', detail: 'object_missing' }
    const { isClean, signature } = await scanner.scan(bytes, sizeBytes)
    return { status: isClean ? 'clean' : 'infected', detail: signature }
  } catch (err) {
    const hasAnswered = err instanceof ScanRefusedError
    logger.warn(
      { err, document: id, tries, ...(hasAnswered && { answer: err.answer }) },
      'a document is not scanned yet',
    )
    if (!hasAnswered) return { status: 'pending', detail: 'no_answer' }
    const isLast = scanRefusals + 1 >= MOST_REFUSALS
    return { status: isLast ? 'failed' : 'pending', detail: 'scanner_error', isRefusal: true }
  } finally {
    reading.abort()
  }
}

/** False where another scan has told already. */
async function settle(tx: Tx, document: KybDocument, outcome: Outcome): Promise<boolean> {
  const { status, detail } = outcome
  if (!(await settleScan(tx, document, outcome))) return false
  if (status === 'pending') return true
  metrics.counter('kyb_scans_total', 'Scans of documents of businesses, by what they came to').add(1, { status })
  tx.publish(
    auditOf(systemCaller('admin'), {
      action: 'kyb.document_scan',
      resourceType: 'kyb_document',
      resourceId: document.id,
      merchantId: document.merchantId,
      isTest: false,
      after: { scan_status: status, scan_detail: detail },
    }),
  )
  return true
}
