import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { kafkaDriver } from './driver.ts'

const INVALID_REQUEST = 42

/** A broker that accepts whoever connects, and refuses whatever they ask. */
let broker: Server
const connected = new Set<Socket>()
beforeEach(async () => {
  broker = createServer((socket) => {
    connected.add(socket)
    socket.on('close', () => connected.delete(socket))
    socket.on('error', () => undefined)
    socket.on('data', (request) => socket.write(refusalOf(request)))
  }).listen(0, '127.0.0.1')
  await once(broker, 'listening')
})
afterEach(() => {
  for (const socket of connected) socket.destroy()
  broker.close()
})

/** Its size, the number of the request, and the error. */
function refusalOf(request: Buffer): Buffer {
  const refusal = Buffer.alloc(10)
  refusal.writeInt32BE(6)
  request.copy(refusal, 4, 8, 12)
  refusal.writeInt16BE(INVALID_REQUEST, 8)
  return refusal
}

test.each(['admin', 'producer'] as const)(
  'whoever connects as %s and is refused leaves no connection',
  async (role) => {
    const { port } = broker.address() as AddressInfo
    const accepted = once(broker, 'connection') as Promise<[Socket]>
    const refused = kafkaDriver({ brokers: [`127.0.0.1:${port}`], clientId: 'refused' })[role]()
    await expect(refused).rejects.toThrow()
    const [socket] = await accepted
    if (!socket.closed) await once(socket, 'close')
    expect(connected.size).toBe(0)
  },
  10_000,
)
