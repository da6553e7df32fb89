import { validationError } from '@svc/errors'
import { isUuid } from '@svc/inputs'

/** Where a page of orders ended. */
export interface Position {
  createdAt: Date
  id: string
}

const FORM = /^(\d{1,15})\.(.{36})$/

/** The opaque text that clients send back to continue after a row. */
export const encodeCursor = ({ createdAt, id }: Position): string =>
  Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url')

/** The position that a cursor names; throws validation_error for text that is no cursor of ours. */
export function decodeCursor(cursor: string): Position {
  const [, createdAt, id = ''] = FORM.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (!isUuid(id))
    throw validationError([{ field: 'cursor', rule: 'cursor', message: 'cursor is not one that this service gave.' }])
  return { createdAt: new Date(Number(createdAt)), id }
}
