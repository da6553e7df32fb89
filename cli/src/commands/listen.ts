import { randomBytes, randomUUID } from 'node:crypto'
import type { EnvelopeOrder, Event } from '@delivery-dispatch/sdk'
import type { Command, Session } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'
import { pause } from '../pause.ts'
import { signedHeaders } from '../sign.ts'

const ANSWER_WITHIN_MS = 12_000
const AGAIN_AFTER_MS = 1_000

interface Target {
  url: string
  secret: string
  version: 'v1' | 'v2'
}

export const listen: Command = {
  usage: 'listen --forward-to URL',
  summary: 'Post every event to an address of yours, signed like the real ones. Works where nobody can reach you',
  options: {
    'forward-to': { type: 'string', value: 'URL', text: 'Where your receiver is: http://127.0.0.1:9000/hooks' },
    signature: { type: 'string', value: 'v1|v2', text: 'v1 unless given' },
    events: { type: 'string', value: 'A,B', text: 'Only events of these names' },
    'from-start': { type: 'boolean', text: 'Everything that the log still has, not only what happens from now on' },
  },
  async run(session, _, values) {
    const { output, profile, keep, signal } = session
    const url = values['forward-to']
    if (typeof url !== 'string' || !URL.canParse(url)) throw new Failure(`dispatch ${this.usage}`, EXIT.usage)
    const version = values['signature'] ?? 'v1'
    if (version !== 'v1' && version !== 'v2') throw new Failure('--signature is v1 or v2.', EXIT.usage)
    const wanted = typeof values['events'] === 'string' ? values['events'].split(',') : undefined

    const own = profile()
    const secret = own.webhookSecret ?? `whsec_${randomBytes(24).toString('base64url')}`
    if (!own.webhookSecret) keep({ webhookSecret: secret })
    const after = own.cursors?.[url]
    const from = values['from-start'] || after !== undefined ? undefined : new Date()
    output.note(`Signed with ${output.paint('bold', secret)}`)
    output.note(
      after === undefined ? `Waiting for events. Ctrl+C ends.` : 'Going on where it ended before. Ctrl+C ends.',
    )

    const target: Target = { url, secret, version }
    let last: Event | undefined
    let kept = after
    const stopKeys = onKey('r', () => last && void forward(session, target, last, false))
    try {
      for await (const { event, cursor } of session.dispatch().events.follow({ after, signal, intervalMs: 1_000 })) {
        const isWanted = (!wanted || wanted.includes(event.event)) && (!from || new Date(event.occurred_at) >= from)
        if (isWanted) {
          // One after the other: the events of an order arrive in their order.
          if (!(await forward(session, target, event, true))) return
          last = event
        }
        // Kept once it is answered: whoever is killed before sends it again, and loses none. Within a page it is the same.
        if (cursor === undefined || cursor === kept) continue
        keep({ cursors: { ...profile().cursors, [url]: cursor } })
        kept = cursor
      }
    } finally {
      stopKeys()
    }
  },
}

/** Posts an event until somebody answers, whatever the answer; false where it was told to end before. */
async function forward(
  { output, signal }: Session,
  target: Target,
  event: Event,
  isPatient: boolean,
): Promise<boolean> {
  const order = 'order' in event ? (event.order as EnvelopeOrder) : undefined
  const body = JSON.stringify({ delivery_id: randomUUID(), ...event })
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
          sequence: event.sequence,
          status: response.status,
          duration_ms: took,
        },
        `${event.occurred_at}  ${status}  ${event.event}  ${order?.id ?? event.event_id}  ${took} ms`,
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

/** Does something each time a key is pressed, where somebody may press one; returns what ends that. */
function onKey(key: string, act: () => void): () => void {
  const { stdin } = process
  if (!stdin.isTTY) return () => {}
  process.stderr.write(`Press ${key} to send the last one again.\n`)
  const pressed = (data: Buffer) => {
    const typed = data.toString()
    if (typed === '\u0003') process.kill(process.pid, 'SIGINT')
    else if (typed === key) act()
  }
  stdin.setRawMode(true)
  stdin.on('data', pressed)
  stdin.unref()
  return () => {
    stdin.off('data', pressed)
    stdin.setRawMode(false)
    stdin.pause()
  }
}
