import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** What the double calls infected, wherever in a file it stands: the core of the file by which scanners are tested. */
export const TEST_VIRUS = 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE'

const COMMAND = Buffer.from('zINSTREAM\0')

interface Clamd {
  start(): Promise<void>
  stop(): Promise<void>
  /** `host:port`, known after start; or the path of its socket. */
  address(): string
}

interface ClamdOptions {
  host?: string
  /** 0 takes a free port. */
  port?: number
  /** Of a Unix socket, in place of a port. */
  path?: string
}

/** Speaks as much of ClamAV's protocol as scans need. It knows one virus. */
export function createClamd({ host = '127.0.0.1', port = 0, path }: ClamdOptions = {}): Clamd {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let received = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes])
      const answer = answerTo(received)
      if (answer !== undefined) socket.end(`${answer}\0`)
    })
  })
  return {
    async start() {
      if (path === undefined) server.listen(port, host)
      else server.listen(path)
      await once(server, 'listening')
    },
    async stop() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
    address: () => path ?? `${host}:${(server.address() as AddressInfo).port}`,
  }
}

/** What it says once it has all of the file; undefined until then. */
function answerTo(received: Buffer): string | undefined {
  if (received.length < COMMAND.length) return undefined
  if (!received.subarray(0, COMMAND.length).equals(COMMAND)) return 'UNKNOWN COMMAND'
  const pieces: Buffer[] = []
  for (let at = COMMAND.length; at + 4 <= received.length; ) {
    const length = received.readUInt32BE(at)
    at += 4
    if (length === 0)
      return Buffer.concat(pieces).includes(TEST_VIRUS) ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK'
    pieces.push(received.subarray(at, at + length))
    at += length
  }
  return undefined
}
