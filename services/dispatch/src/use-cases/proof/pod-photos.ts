import { randomUUID } from 'node:crypto'
import { ServiceError, validationError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Context } from '../../context.ts'
import type { SignedUpload } from '../../peers/object-store.ts'

const MAX_BYTES = 10 * 1024 * 1024
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/webp', 'webp'],
])

export interface PresignedPhoto extends SignedUpload {
  storageKey: string
  expiresAt: Date
}

/** A place for one photo of the rider, of exactly this type and size. The key begins with the rider's id. */
export async function presignPodPhoto(
  ctx: Context,
  caller: Caller,
  { contentType, sizeBytes }: { contentType: string; sizeBytes: number },
): Promise<PresignedPhoto> {
  const extension = EXTENSIONS.get(contentType)
  if (extension === undefined) {
    const allowed = [...EXTENSIONS.keys()]
    const message = `content_type must be one of ${allowed.join(', ')}.`
    throw validationError([{ field: 'content_type', rule: 'enum', message, allowed }])
  }
  if (!Number.isInteger(sizeBytes) || sizeBytes < 1 || sizeBytes > MAX_BYTES) {
    const message = `size_bytes must be 1 to ${MAX_BYTES}.`
    throw validationError([{ field: 'size_bytes', rule: 'range', message, limit: MAX_BYTES }])
  }
  const store = storeOf(ctx)
  const riderId = caller.actor.id
  const storageKey = `pod/${riderId}/${randomUUID()}.${extension}`
  const upload = await store.signUpload(storageKey, { contentType, sizeBytes })
  const createdAt = await ctx.transact('every tenant', async (tx) => {
    await tx.sql(
      `INSERT INTO pod_photos (storage_key, rider_id, content_type, size_bytes, created_at)
       VALUES ($1, $2, $3, $4, $5)`,
      [storageKey, riderId, contentType, sizeBytes, tx.now],
    )
    return tx.now
  })
  return { ...upload, storageKey, expiresAt: new Date(createdAt.getTime() + store.signedForSeconds * 1000) }
}

/** Throws validation_error unless the key, where there is one, names a photo that this rider has uploaded. */
export async function assertUploaded(ctx: Context, caller: Caller, storageKey: string | null): Promise<void> {
  if (storageKey === null) return
  const { rowCount } = await ctx.database.worker.query(
    'SELECT 1 FROM pod_photos WHERE storage_key = $1 AND rider_id = $2',
    [storageKey, caller.actor.id],
  )
  if (rowCount === 0) throw notUploaded('names no photo of this rider.')
  const isThere = await storeOf(ctx)
    .has(storageKey)
    .catch((cause: unknown) => {
      throw new ServiceError('service_unavailable', { message: 'The object store does not answer.', cause })
    })
  if (!isThere) throw notUploaded('names a photo that was not uploaded.')
}

const notUploaded = (what: string): ServiceError =>
  validationError([{ field: 'photo_storage_key', rule: 'uploaded', message: `photo_storage_key ${what}` }])

function storeOf({ objectStore }: Context) {
  if (!objectStore) throw new ServiceError('uploads_not_configured')
  return objectStore
}
