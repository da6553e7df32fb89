import { randomUUID } from 'node:crypto'
import { Agent, fetch } from 'undici'
import { signatureHeaders } from '../../services/webhook/src/domain/signature.ts'
import { orderBody } from '../journeys/merchant.ts'

/** What deliveries are measured against: on each message posts so many signed bodies, a few at a time, and says when done. */
const AT_ONCE = 10
const url = process.env['SINK_URL'] ?? ''
const dispatcher = new Agent({ connections: AT_ONCE })

async function post(): Promise<void> {
  const eventId = randomUUID()
  const body = Buffer.from(JSON.stringify({ event: 'order.created', event_id: eventId, order: orderBody() }))
  const timestamp = Math.floor(Date.now() / 1000)
  const headers = signatureHeaders({ version: 'v1', eventId, body, secrets: ['a-secret-of-sixteen'], timestamp })
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
    dispatcher,
  })
  await response.text()
}

process.on('message', (count: number) => {
  let left = count
  const lane = async () => {
    while (left-- > 0) await post()
  }
  void Promise.all(Array.from({ length: AT_ONCE }, lane)).then(() => process.send?.('done'))
})
process.send?.('ready')
