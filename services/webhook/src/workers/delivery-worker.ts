import { randomUUID } from 'node:crypto'
import type { Database } from '@svc/database'
import { type Worker, worker } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'
import type { SecretBox } from '@svc/sealing'
import { metrics, withRemoteParent } from '@svc/telemetry'
import type { Config } from '../config.ts'
import { openColumns } from '../db/endpoints.ts'
import { type Claimed, claimDeliveries, msUntilDue } from '../db/queue.ts'
import { takeFaults } from '../db/webhook-faults.ts'
import { type Target, targetOf, workingEndpoint } from '../domain/endpoint.ts'
import { WITHHELD } from '../domain/retry-schedule.ts'
import { DROPPED, type FaultKind } from '../domain/webhook-fault.ts'
import type { OutboundHttp } from '../peers/outbound-http.ts'
import { type PostResult, postWebhook } from '../peers/post-webhook.ts'
import { webhookHeaders } from '../peers/webhook-request.ts'
import { resultWriter } from './result-writer.ts'

const CLAIM_LIMIT = 200

const logger = createLogger('webhook.deliveries')
const eventToPost = metrics.histogram(
  'webhook_event_to_post_seconds',
  'From the event to the first attempt to deliver it',
)

/** Of what one claim has answered. */
interface Lease {
  id: string
  /** By performance.now(), and no later than in the database. */
  endsAt: number
}

/** The endpoint may be another by then, and another process may have the delivery: it comes back, and is claimed anew. */
const isOver = ({ endsAt }: Lease): boolean => performance.now() >= endsAt

export interface DeliveryWorkerOptions {
  config: Config
  database: Database
  secretBox: SecretBox
  http: OutboundHttp
}

/**
 * Sends due deliveries, however many processes run it: at least once each, at most five at a time per endpoint. No request
 * begins after the lease of its claim. It sleeps until the next one is due, a wake-up, or the poll interval at the latest.
 */
export function deliveryWorker({ config, database, secretBox, http }: DeliveryWorkerOptions): Worker {
  const inFlight = new Set<Promise<void>>()
  const loop = worker({
    name: 'deliveries',
    pollMs: config.deliveryPollInterval,
    failed: 'deliveries could not be claimed',
    work: claimAndSend,
    // A result that is stored makes room, and wakes.
    nextDueInMs: async () => (inFlight.size < config.deliveryConcurrency ? msUntilDue(database) : null),
  })
  const writer = () => resultWriter({ database, maxAttempts: config.outboundWebhookMaxAttempts, stored: loop.wake })
  // By environment: no live result waits for a delivery of a sandbox that somebody holds.
  const results = { live: writer(), test: writer() }

  async function attempt(row: Claimed, lease: Lease, fault: FaultKind | null = null): Promise<void> {
    if (isOver(lease)) return
    const attemptId = randomUUID()
    const isWithheld = row.is_test && !row.to_live && row.test_url === null
    const target = isWithheld ? null : targetOf(workingEndpoint(openColumns(secretBox, row), row.is_test), row.now)
    const post = (id: string, to: Target) => withRemoteParent(row.traceparent ?? undefined, () => send(row, id, to))
    if (target && fault === 'duplicate') {
      await post(randomUUID(), target)
      if (isOver(lease)) return
    }
    const result = target
      ? await (fault === 'drop' ? notSent(DROPPED) : post(attemptId, target))
      : notSent(isWithheld ? WITHHELD : 'the endpoint has no URL, or no secret that can be read')
    if (row.attempts === 0) {
      const waitedMs = Math.max(0, result.at.getTime() - row.occurred_at.getTime())
      eventToPost.record(waitedMs / 1_000, { lane: row.is_failing ? 'failing' : 'ok' })
    }
    const { live, test } = results
    ;(row.is_test ? test : live).add({
      id: row.id,
      lease: lease.id,
      attemptId,
      attempt: row.attempts + 1,
      url: target?.url ?? null,
      result,
    })
  }

  function send(row: Claimed, attemptId: string, { url, secrets, signatureVersion }: Target) {
    const headers = webhookHeaders({
      attemptId,
      event: row.event,
      eventId: row.event_id,
      isTest: row.is_test,
      body: row.body,
      secrets,
      signatureVersion: signatureVersion ?? config.outboundWebhookSignatureVersion,
      at: new Date(),
    })
    return postWebhook(http, { url, headers, body: row.body })
  }

  /** True where there may be more to claim at once. */
  async function claimAndSend(): Promise<boolean> {
    const limit = Math.min(CLAIM_LIMIT, config.deliveryConcurrency - inFlight.size)
    if (limit <= 0) return false
    const lease = { id: randomUUID(), endsAt: performance.now() + config.deliveryLease }
    const rows = await claimDeliveries(database, { lease: lease.id, limit, leaseMs: config.deliveryLease })
    const mayMeetFault = (row: Claimed) => row.is_test && row.attempts === 0
    const untried = rows.filter(mayMeetFault).map(({ id }) => id)
    const faults = untried.length > 0 ? faultsOf(untried, lease.id) : null
    // Only those that may meet one wait for the faults: nothing in a sandbox holds up the others.
    for (const row of rows) {
      const sending = (mayMeetFault(row) ? beginUntried(row, lease, faults) : attempt(row, lease))
        .catch((err) => logger.error({ err, delivery_id: row.id }, 'an attempt failed on our side'))
        .finally(() => inFlight.delete(sending))
      inFlight.add(sending)
    }
    return rows.length === limit
  }

  /** Null where they could not be taken. What is kept back is due at a time that the loop has yet to hear of. */
  async function faultsOf(ids: readonly string[], lease: string): Promise<Map<string, FaultKind | null> | null> {
    try {
      return await takeFaults(database, ids, lease)
    } catch (err) {
      logger.error({ err, deliveries: ids.length }, 'the faults of sandboxes could not be taken')
      return null
    } finally {
      // Once the room that they took is free.
      setImmediate(loop.wake)
    }
  }

  /** Left where the faults could not be taken, to come back when its lease ends; and where another process has it by now. */
  async function beginUntried(row: Claimed, lease: Lease, taken: ReturnType<typeof faultsOf> | null): Promise<void> {
    const fault = (await taken)?.get(row.id)
    if (fault !== undefined && fault !== 'delay' && fault !== 'reorder') await attempt(row, lease, fault)
  }

  return {
    ...loop,
    async start() {
      if (config.outboundWebhooksEnabled) await loop.start()
    },
    async stop() {
      await loop.stop()
      await Promise.all(inFlight)
      await Promise.all([results.live.drain(), results.test.drain()])
    },
  }
}

const notSent = (error: string): PostResult => ({
  at: new Date(),
  durationMs: 0,
  statusCode: null,
  error,
  retryAfterMs: null,
  responseSnippet: null,
})
