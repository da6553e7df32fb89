import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import type { KeyVerdict } from '../../db/verdicts.ts'
import { type KeyToJudge, verifyApiKeys } from './verify-api-keys.ts'

/** Judges a key, as verifyApiKeys() does. */
export async function verifyApiKey(ctx: Context, by: By<'every tenant'>, key: KeyToJudge): Promise<KeyVerdict> {
  const [verdict] = await verifyApiKeys(ctx, by, [key])
  return verdict as KeyVerdict
}
