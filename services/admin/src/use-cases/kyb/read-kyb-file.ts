import { type By, held } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { documentsOfFile, type KybDocument } from '../../db/kyb-documents.ts'
import { findSubmission } from '../../db/kyb-submissions.ts'
import { kybDocumentMessage } from '../../messages/kyb-document.ts'

/**
 * What the business has submitted with its documents, as one object in JSON; undefined where there is neither. Only what a
 * scanner found clean can be opened, for a quarter of an hour. Who read it stands in the audit log.
 */
export async function readKybFile(
  ctx: Context,
  by: By<'every tenant'>,
  merchantId: string,
): Promise<string | undefined> {
  held(by, 'admin.merchants.read')
  const { submission, documents, now } = await ctx.transact({ merchantId, isTest: null }, async (tx) => {
    const submission = await findSubmission(tx, merchantId)
    const documents = await documentsOfFile(tx, merchantId)
    if (submission || documents.length > 0)
      tx.publish(
        auditOf(by, {
          action: 'kyb.read',
          resourceType: 'merchant',
          resourceId: merchantId,
          merchantId,
          isTest: false,
        }),
      )
    return { submission, documents, now: tx.now }
  })
  if (!submission && documents.length === 0) return undefined
  // As text, which keeps every digit; what is submitted has no documents of its own.
  const submitted = (submission?.payloadJson ?? '{}').trimEnd().slice(0, -1).trimEnd()
  const added = JSON.stringify(await Promise.all(documents.map((document) => shown(ctx, document, now))))
  return `${submitted}${submitted.endsWith('{') ? '' : ','}"documents":${added}}`
}

async function shown({ objectStore }: Context, document: KybDocument, now: Date): Promise<object> {
  const { storageKey, fileName, scanStatus } = document
  const opens = objectStore !== null && scanStatus === 'clean'
  const { scan_detail = null, scanned_at = null, ...message } = kybDocumentMessage(document)
  return {
    ...message,
    scan_detail,
    scanned_at,
    url: opens ? await objectStore.signDownload(storageKey, { fileName }) : null,
    expires_at: opens ? new Date(now.getTime() + objectStore.signedForSeconds * 1000).toISOString() : null,
  }
}
