import { ServiceError } from '@svc/errors'
import type { By, Caller } from '@svc/grpc'
import type { Context } from '../context.ts'
import { createDrafted } from '../creations/create-drafted.ts'
import { ingestedFingerprint } from '../domain/fingerprint.ts'
import type { IngestedKey } from '../domain/ingested.ts'
import { readDraft } from '../domain/order-draft.ts'
import type { Creation } from '../messages/creation-reply.ts'

interface Ingestion {
  key: IngestedKey
  rawPayloadJson: string
  standardizedJson: string
  paymentVerified: boolean
  standing: NonNullable<Caller['standing']>
}

/**
 * Creates the order that a hook tells of, by the rules of the API, or answers the one that an earlier hook made, as it is
 * now: whatever the later hook says, it is that order. duplicate_order where a call of the API made it.
 */
export async function ingestOrder(
  ctx: Context,
  by: By,
  { key: { merchantId, isTest, source, externalOrderId }, standing, ...record }: Ingestion,
): Promise<Creation> {
  if (isTest === null) throw new ServiceError('validation_error')
  const request = readDraft({ source, externalOrderId, ...record })
  const draft = { ...request, riderId: null, fingerprint: ingestedFingerprint({ source, externalOrderId }) }
  const caller: Caller = {
    kind: 'system',
    merchantId,
    isTest,
    scopes: [],
    actor: { type: 'provider', id: source },
    standing,
    requestId: by.caller.requestId,
  }
  const { deadline, signal } = by
  return createDrafted(ctx, { caller, scope: { merchantId, isTest }, deadline, signal }, { draft })
}
