import type { Delivery, DeliveryDispatch } from '@delivery-dispatch/sdk'
import type { Command } from '../command.ts'
import { parseDuration } from '../duration.ts'
import { EXIT, Failure } from '../failure.ts'
import { needed } from '../input.ts'
import type { Output } from '../output.ts'
import { pause } from '../pause.ts'

const LATEST = 20
const EVERY_MS = 3_000

export const tailDeliveries: Command = {
  usage: 'deliveries tail',
  summary: 'Show what is delivered to your endpoint, and go on as it happens',
  options: { once: { type: 'boolean', text: 'Only the latest, without going on' } },
  async run({ output, dispatch, signal }, _, values) {
    const seen = new Map<string, string>()
    const isNew = ({ id, status, attempts }: Delivery) => seen.get(id) !== `${status} ${attempts}`
    for (;;) {
      const found = await latest(dispatch(), seen).catch((error: unknown) => {
        if (signal.aborted) return undefined
        throw error
      })
      if (!found) return
      for (const delivery of found.toReversed()) {
        if (isNew(delivery)) output.show(delivery, line(output, delivery))
        seen.set(delivery.id, `${delivery.status} ${delivery.attempts}`)
      }
      if (values['once'] && found.length === 0) output.show([], 'Nothing was delivered yet.')
      if (values['once']) return
      await pause(EVERY_MS, signal)
      if (signal.aborted) return
    }
  },
}

/** The latest, newest first, and all that have been made since some were seen: however many came at once, none is left out. */
async function latest(dispatch: DeliveryDispatch, seen: ReadonlyMap<string, string>): Promise<Delivery[]> {
  const found: Delivery[] = []
  for await (const { items } of dispatch.listDeliveries({ limit: LATEST }).pages()) {
    found.push(...items)
    if (seen.size === 0 || items.length === 0 || items.some(({ id }) => seen.has(id))) break
  }
  return found
}

export const retryDelivery: Command = {
  usage: 'deliveries retry ID',
  summary: 'Deliver once more, at once',
  async run({ output, dispatch }, [id]) {
    const answer = await dispatch().retryDelivery(needed(id, 'ID', this.usage))
    output.show(answer, output.paint('green', 'It is sent again.'))
  },
}

export const replay: Command = {
  usage: 'replay',
  summary: 'Deliver the events of a period again',
  options: {
    since: { type: 'string', value: 'TIME', text: 'From then on: 2026-11-21T10:00:00Z, or 2h, 30m, 3d ago' },
    until: { type: 'string', value: 'TIME', text: 'Until then' },
    status: { type: 'string', value: 'STATUS', text: 'Only deliveries that are pending, succeeded or dead' },
  },
  async run({ output, dispatch }, _, values) {
    const status = values['status']
    if (status !== undefined && status !== 'pending' && status !== 'succeeded' && status !== 'dead')
      throw new Failure('--status is pending, succeeded or dead.', EXIT.usage)
    const answer = await dispatch().replayEvents({
      since: timeOf(needed(values['since'] as string | undefined, '--since', 'replay --since TIME')),
      ...(values['until'] ? { until: timeOf(String(values['until'])) } : {}),
      ...(status ? { status } : {}),
    })
    output.show(answer, `${answer.queued} ${answer.queued === 1 ? 'event is' : 'events are'} delivered again.`)
  },
}

function timeOf(text: string): string {
  const seconds = parseDuration(text)
  const at = seconds === undefined ? Date.parse(text) : Date.now() - seconds * 1000
  if (Number.isNaN(at)) throw new Failure(`${text} is no time: 2026-11-21T10:00:00Z, or 2h, 30m, 3d.`, EXIT.usage)
  return new Date(at).toISOString()
}

function line(output: Output, delivery: Delivery): string {
  const colour = delivery.status === 'succeeded' ? 'green' : delivery.status === 'dead' ? 'red' : 'yellow'
  const why = delivery.last_error ?? (delivery.last_status_code ? `HTTP ${delivery.last_status_code}` : '')
  const [text] = output.table([
    [delivery.created_at, delivery.event, delivery.order_id ?? '-', `try ${delivery.attempts}`, why],
  ])
  return `${output.paint(colour, delivery.status.padEnd(9))}  ${text}`
}
