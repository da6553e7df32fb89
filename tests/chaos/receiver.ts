import { createHash } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'

/** What a merchant's server saw of one event. */
interface Seen {
  event: string
  sequence: number
  orderId: string
  externalOrderId: string
  bodies: Set<string>
  /** The same without the id of the delivery, which is another where a delivery was made anew. */
  contents: Set<string>
  deliveries: number
}

/** A plain HTTP server that accepts everything and remembers every event it was sent; `heard` is shown each post. */
export async function countingReceiver(heard: (body: Buffer, headers: IncomingHttpHeaders) => void = () => {}) {
  const events = new Map<string, Seen>()
  const byOrder = new Map<string, Set<string>>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      heard(body, request.headers)
      const envelope = JSON.parse(body.toString())
      const digestOf = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
      const seen = events.get(envelope.event_id) ?? {
        event: envelope.event,
        sequence: envelope.sequence,
        orderId: envelope.order.id,
        externalOrderId: envelope.order.external_order_id,
        bodies: new Set<string>(),
        contents: new Set<string>(),
        deliveries: 0,
      }
      seen.bodies.add(digestOf(body))
      seen.contents.add(digestOf(body.toString().replace(/"delivery_id":"[^"]+"/, '')))
      seen.deliveries++
      events.set(envelope.event_id, seen)
      const ids = byOrder.get(seen.orderId) ?? new Set()
      byOrder.set(seen.orderId, ids.add(envelope.event_id))
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    events,
    /** The events of one order, by sequence. */
    of: (orderId: string) =>
      [...(byOrder.get(orderId) ?? [])].map((id) => events.get(id) as Seen).toSorted((a, b) => a.sequence - b.sequence),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
