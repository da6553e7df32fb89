// SECRET=<the endpoint's secret> node receiver.mjs [port]: prints every webhook and whether its signature holds.
import { createServer } from 'node:http'
import { verifyV1, verifyV2 } from './node.mjs'

const { SECRET } = process.env
if (!SECRET) throw new Error('Set SECRET to the signing secret of the endpoint.')

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  const signature = request.headers['x-service-signature'] ?? ''
  const valid = signature.startsWith('t=')
    ? verifyV2(SECRET, body, signature, request.headers['x-service-event-id'] ?? '')
    : verifyV1(SECRET, body, signature)
  const { event, event_id, sequence, order } = valid ? JSON.parse(body) : {}
  console.log(
    valid ? 'signature ok ' : 'SIGNATURE BAD',
    event ?? '',
    sequence ?? '',
    order?.status ?? '',
    event_id ?? '',
  )
  response.writeHead(valid ? 204 : 401).end()
})
server.listen(Number(process.argv[2] ?? 9000), '127.0.0.1', () =>
  console.log('listening on port', server.address().port),
)
