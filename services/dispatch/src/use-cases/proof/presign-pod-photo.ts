import { randomUUID } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import { type By, riderOf } from '@svc/grpc'
import type { SignedUpload } from '@svc/object-store'
import type { Context } from '../../context.ts'
import { announcePodPhoto } from '../../db/pod-photos.ts'
import { EXTENSIONS, type PhotoType } from '../../domain/pod-photo.ts'
import { isOfNobody, isSandbox } from '../../domain/rider.ts'

export interface PresignedPhoto extends SignedUpload {
  storageKey: string
  expiresAt: Date
}

/**
 * A place for one photo of the rider, of exactly this type and size. The key begins with the rider's id. The sandbox rider
 * has one place for each merchant, and one for all who name none: the next photo replaces the one before.
 */
export async function presignPodPhoto(
  ctx: Context,
  by: By,
  { contentType, sizeBytes }: { contentType: PhotoType; sizeBytes: number },
): Promise<PresignedPhoto> {
  const { objectStore } = ctx
  if (!objectStore) throw new ServiceError('uploads_not_configured')
  const riderId = riderOf(by)
  const isShared = isSandbox(riderId)
  const storageKey = isShared
    ? `pod/${riderId}/${by.caller.merchantId ?? 'shared'}`
    : `pod/${riderId}/${randomUUID()}.${EXTENSIONS[contentType]}`
  const upload = await objectStore.signUpload(storageKey, { contentType, sizeBytes, mayReplace: isShared })
  const createdAt = await ctx.transact('every tenant', async (tx) => {
    // Without a merchant there is no order whose proof could name it.
    if (!isOfNobody(by.caller)) await announcePodPhoto(tx, { storageKey, riderId, contentType, sizeBytes })
    return tx.now
  })
  return { ...upload, storageKey, expiresAt: new Date(createdAt.getTime() + objectStore.signedForSeconds * 1000) }
}
