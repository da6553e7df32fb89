// SECRET=<the endpoint's secret> node receiver.mjs [port]: takes the webhooks of an endpoint whose signature version is v2,
// refuses what we did not sign, and prints each event once.
import { createServer } from 'node:http'
import { verifyV2 } from './node.mjs'

const { SECRET } = process.env
if (!SECRET) throw new Error('Set SECRET to the signing secret of the endpoint.')

// In your program a table with a unique index, written in the transaction of your own work.
const handled = new Set()

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  const { 'x-service-signature': signature = '', 'x-service-event-id': eventId = '' } = request.headers
  if (!verifyV2(SECRET, body, signature, eventId)) {
    console.log(signature.startsWith('t=') ? 'SIGNATURE BAD' : 'SIGNATURE BAD: the endpoint is not set to v2')
    return response.writeHead(401).end()
  }
  const { event, event_id, sequence = '', order } = JSON.parse(body)
  const isNew = !handled.has(event_id)
  handled.add(event_id)
  console.log(isNew ? 'signature ok ' : 'had it before', event, sequence, order?.status ?? '', event_id)
  response.writeHead(204).end()
})
server.listen(Number(process.argv[2] ?? 9000), '127.0.0.1', () =>
  console.log('listening on port', server.address().port),
)
