import { ServiceError, validationError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import { beginsAs } from '@svc/object-store'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { addDocument, countDocuments, findUpload, type KybDocument, type KybUpload } from '../../db/kyb-documents.ts'
import { lockMerchant } from '../../db/merchants.ts'
import { assertRoomForDocument } from '../../domain/kyb.ts'
import type { KybStatus } from '../../domain/merchant-transitions.ts'
import { kybDocumentMessage } from '../../messages/kyb-document.ts'
import { openScan } from './scan-kyb-document.ts'

/** What a merchant says of its upload. All but the key was said when it asked for the place, and is to be the same. */
interface AddKybDocument {
  storageKey: string
  said: Partial<Pick<KybUpload, 'fileName' | 'contentType' | 'sizeBytes' | 'documentType'>>
}

/**
 * Takes an upload into the file of the business: one that this merchant announced, that is there as it was announced, and
 * that is no document yet. Then it is scanned; where there is no scanner it stays unscanned, and closed.
 */
export async function addKybDocument(
  ctx: Context,
  { caller, scope }: By<Tenant>,
  { storageKey, said }: AddKybDocument,
): Promise<{ document: KybDocument; kybStatus: KybStatus }> {
  const { merchantId } = scope
  const upload = await ctx.transact(scope, (tx) => findUpload(tx, merchantId, storageKey))
  if (!upload) throw refused('storage_key', 'names no upload of this merchant.')
  if (upload.addedAt) throw alreadyAdded()
  assertSaidAgain(upload, said)
  await assertUploaded(ctx, upload)
  return ctx.transact(scope, async (tx) => {
    const { kybStatus } = await lockMerchant(tx.em, merchantId)
    assertRoomForDocument(await countDocuments(tx, merchantId))
    const document = await addDocument(tx, upload, ctx.scanner ? 'pending' : 'unavailable')
    if (!document) throw alreadyAdded()
    if (ctx.scanner) await openScan(ctx, tx, document)
    const { id, storage_key, document_type, content_type, size_bytes } = kybDocumentMessage(document)
    tx.publish(
      auditOf(caller, {
        action: 'kyb.document_add',
        resourceType: 'kyb_document',
        resourceId: id,
        isTest: false,
        after: { storage_key, document_type, content_type, size_bytes },
      }),
    )
    return { document, kybStatus }
  })
}

const FIELDS = {
  fileName: 'file_name',
  contentType: 'content_type',
  sizeBytes: 'size_bytes',
  documentType: 'document_type',
} as const

function assertSaidAgain(upload: KybUpload, said: AddKybDocument['said']): void {
  for (const [name, field] of Object.entries(FIELDS) as Array<[keyof typeof FIELDS, string]>)
    if (said[name] !== undefined && said[name] !== upload[name])
      throw validationError([{ field, rule: 'announced', message: `${field} is not what was announced.` }])
}

async function assertUploaded({ objectStore }: Context, upload: KybUpload): Promise<void> {
  if (!objectStore) throw new ServiceError('uploads_not_configured')
  const stored = await objectStore.look(upload.storageKey).catch((cause: unknown) => {
    throw new ServiceError('service_unavailable', { message: 'The object store does not answer.', cause })
  })
  if (!stored) throw refused('storage_key', 'names a document that was not uploaded.')
  const isAnnounced = stored.contentType === upload.contentType && stored.sizeBytes === upload.sizeBytes
  if (!isAnnounced || !beginsAs(upload.contentType, stored.beginning))
    throw refused('storage_key', 'names no document as announced.')
}

const refused = (field: string, what: string): ServiceError =>
  validationError([{ field, rule: 'uploaded', message: `${field} ${what}` }])

const alreadyAdded = (): ServiceError =>
  new ServiceError('already_exists', {
    message: 'The upload is a document already.',
    details: { field: 'storage_key' },
  })
