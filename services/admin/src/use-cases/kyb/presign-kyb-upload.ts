import { randomUUID } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { SignedUpload } from '@svc/object-store'
import type { Context } from '../../context.ts'
import { countDocuments, insertUpload } from '../../db/kyb-documents.ts'
import { lockMerchant } from '../../db/merchants.ts'
import {
  assertRoomForDocument,
  DOCUMENT_EXTENSIONS,
  type DocumentContent,
  type DocumentType,
  MOST_UNUSED_UPLOADS,
} from '../../domain/kyb.ts'

interface PresignKybUpload {
  fileName: string
  contentType: DocumentContent
  sizeBytes: number
  documentType: DocumentType
}

interface PresignedKybUpload extends SignedUpload {
  storageKey: string
  expiresAt: Date
}

/** A place for one document of the merchant's, of exactly this type and size, that can be filled once. */
export async function presignKybUpload(
  ctx: Context,
  { scope }: By<Tenant>,
  upload: PresignKybUpload,
): Promise<PresignedKybUpload> {
  const { objectStore } = ctx
  if (!objectStore) throw new ServiceError('uploads_not_configured')
  const { merchantId } = scope
  const { contentType, sizeBytes } = upload
  const storageKey = `kyb/${merchantId}/${randomUUID()}.${DOCUMENT_EXTENSIONS[contentType]}`
  const signed = await objectStore.signUpload(storageKey, { contentType, sizeBytes, mayReplace: false })
  return ctx.transact(scope, async (tx) => {
    // Those of a merchant take turns, so that none is counted twice or missed.
    await lockMerchant(tx.em, merchantId)
    const counts = await countDocuments(tx, merchantId)
    if (counts.unused >= MOST_UNUSED_UPLOADS)
      throw new ServiceError('limit_reached', { details: { limit: MOST_UNUSED_UPLOADS } })
    assertRoomForDocument(counts)
    await insertUpload(tx, { ...upload, merchantId, storageKey })
    const expiresAt = new Date(tx.now.getTime() + objectStore.signedForSeconds * 1000)
    return { ...signed, storageKey, expiresAt }
  })
}
