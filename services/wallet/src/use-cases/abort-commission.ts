import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { abortOperation } from '../db/holds.ts'

/** Makes sure that an attempt is never decided, unless it was; answers which of both. */
export async function abortCommission(
  ctx: Context,
  _by: By,
  { opKey }: { opKey: string },
): Promise<'applied' | 'declined' | 'aborted'> {
  return ctx.transact('every tenant', (tx) => abortOperation(tx, opKey))
}
