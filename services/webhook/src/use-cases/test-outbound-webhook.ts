import { randomUUID } from 'node:crypto'
import { ServiceError, validationError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import { PING } from '@svc/public-bodies'
import type { Context } from '../context.ts'
import { findEndpoints } from '../db/endpoints.ts'
import { targetOf, workingEndpoint } from '../domain/endpoint.ts'
import { pingBody } from '../messages/envelope.ts'
import { type SampledEvent, sampleBody } from '../messages/sample.ts'
import { type PostResult, postWebhook } from '../peers/post-webhook.ts'
import { webhookHeaders } from '../peers/webhook-request.ts'

/**
 * Sends one signed webhook.ping, or the sample of an event, now and returns what came back; nothing is stored or retried,
 * and whether the endpoint lists the event does not matter. A test credential never reaches the live endpoint by it.
 */
export async function testOutboundWebhook(
  ctx: Context,
  { caller, scope: { merchantId } }: By<Tenant>,
  input: { isTest: boolean; event: SampledEvent | typeof PING },
): Promise<{ eventId: string; result: PostResult }> {
  if (!ctx.config.outboundWebhooksEnabled) throw new ServiceError('feature_disabled')
  const isTest = input.isTest || caller.isTest === true
  const { endpoints, now } = await ctx.transact({ merchantId, isTest: null }, async (tx) => ({
    endpoints: await findEndpoints(tx, ctx.secretBox, merchantId),
    now: tx.now,
  }))
  const working = workingEndpoint(endpoints, isTest)
  const endpoint = caller.isTest === true ? { ...working, url: endpoints.sandbox.url } : working
  const target = targetOf(endpoint, now)
  if (!target) {
    const field = endpoint.url === null ? 'url' : 'secret'
    throw validationError([{ field, rule: 'required', message: `Set a ${field} before testing the webhook.` }])
  }
  const eventId = randomUUID()
  const { event } = input
  const sent = { eventId, deliveryId: randomUUID(), merchantId, occurredAt: now }
  const body = Buffer.from(event === PING ? pingBody(sent) : sampleBody(event, sent))
  const headers = webhookHeaders({
    attemptId: randomUUID(),
    event,
    eventId,
    isTest,
    body,
    secrets: target.secrets,
    signatureVersion: target.signatureVersion ?? ctx.config.outboundWebhookSignatureVersion,
    at: new Date(),
  })
  return { eventId, result: await postWebhook(ctx.http, { url: target.url, headers, body }) }
}
