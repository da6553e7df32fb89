import { validationError } from '@svc/errors'

/** Where a page of orders ended. */
export interface Position {
  createdAt: Date
  id: string
}

const FORM = /^(\d{1,15})\.([0-9a-f-]{36})$/

/** The opaque text that clients send back to continue after a row. */
export const encodeCursor = ({ createdAt, id }: Position): string =>
  Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url')

/** The position that a cursor names; throws validation_error for text that is no cursor of ours. */
export function decodeCursor(cursor: string): Position {
  const parts = FORM.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (!parts)
    throw validationError([{ field: 'cursor', rule: 'cursor', message: 'cursor is not one that this service gave.' }])
  return { createdAt: new Date(Number(parts[1])), id: parts[2] as string }
}
