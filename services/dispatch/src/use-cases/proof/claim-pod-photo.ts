import { ServiceError, validationError } from '@svc/errors'
import { type By, riderOf } from '@svc/grpc'
import { beginsAs } from '@svc/object-store'
import type { Context } from '../../context.ts'
import { bindPodPhoto, findPodPhoto } from '../../db/pod-photos.ts'

/**
 * Throws validation_error unless the key names an image that this rider announced and uploaded, and that proves no other
 * order. From then on it is a photo of this order.
 */
export async function claimPodPhoto(ctx: Context, by: By, orderId: string, key: string): Promise<void> {
  const { database, objectStore } = ctx
  const riderId = riderOf(by)
  const photo = await findPodPhoto(database, riderId, key)
  if (!photo) throw notUploaded('names no photo of this rider.')
  if (!objectStore) throw new ServiceError('uploads_not_configured')
  const stored = await objectStore.look(key).catch((cause: unknown) => {
    throw new ServiceError('service_unavailable', { message: 'The object store does not answer.', cause })
  })
  if (!stored) throw notUploaded('names a photo that was not uploaded.')
  const isAnnounced = stored.contentType === photo.contentType && stored.sizeBytes === photo.sizeBytes
  if (!isAnnounced || !beginsAs(photo.contentType, stored.beginning)) throw notUploaded('names no image as announced.')
  const isBound = await ctx.transact('every tenant', (tx) => bindPodPhoto(tx, riderId, key, orderId))
  if (!isBound) throw notUploaded('names a photo of another order.')
}

const notUploaded = (what: string): ServiceError =>
  validationError([{ field: 'photo_storage_key', rule: 'uploaded', message: `photo_storage_key ${what}` }])
