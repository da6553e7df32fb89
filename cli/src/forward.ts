import { randomUUID } from 'node:crypto'
import type { EnvelopeOrder, Event } from '@delivery-dispatch/sdk'
import type { Session } from './command.ts'
import { plain } from './output.ts'
import { pause } from './pause.ts'
import { signedHeaders } from './sign.ts'

const ANSWER_WITHIN_MS = 12_000
const AGAIN_AFTER_MS = 1_000

export interface Target {
  url: string
  secret: string
  version: 'v1' | 'v2'
}

/** Posts an event as a webhook would be, until somebody answers, whatever the answer; false where it was told to end before. */
export async function forward(
  { output, signal }: Session,
  target: Target,
  event: Event,
  isPatient: boolean,
): Promise<boolean> {
  // Events of orders have one, also those whose names came later.
  const order = event['order'] as EnvelopeOrder | undefined
  const { cursor: _, ...posted } = event
  const body = JSON.stringify({ delivery_id: randomUUID(), ...posted })
  let hasTold = false
  for (;;) {
    const attempt = randomUUID()
    const startedAt = Date.now()
    try {
      const response = await fetch(target.url, {
        method: 'POST',
        body,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'delivery-dispatch-cli/1',
          'X-Service-Event': event.event,
          'X-Service-Delivery': attempt,
          ...(order?.is_test ? { 'X-Service-Environment': 'test' } : {}),
          ...signedHeaders(target.secret, target.version, event.event_id, body, new Date(startedAt)),
        },
      })
      await response.arrayBuffer()
      const took = Date.now() - startedAt
      const status = output.paint(response.ok ? 'green' : 'red', String(response.status))
      output.show(
        {
          event: event.event,
          event_id: event.event_id,
          order_id: order?.id,
          sequence: event.sequence,
          status: response.status,
          duration_ms: took,
        },
        `${event.occurred_at}  ${status}  ${plain(event.event)}  ${order?.id ?? event.event_id}  ${took} ms`,
      )
      return true
    } catch (error) {
      if (signal.aborted) return false
      if (!isPatient) {
        output.note(`${target.url} does not answer.`)
        return true
      }
      const why = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).name
      if (!hasTold) output.note(output.paint('yellow', `${target.url} does not answer (${why}); waiting for it.`))
      hasTold = true
      await pause(AGAIN_AFTER_MS, signal)
    }
  }
}
