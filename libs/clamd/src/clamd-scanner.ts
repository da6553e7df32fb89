import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { ServiceError } from '@svc/errors'

const TIMEOUT_MS = 60_000
const MAX_ANSWER_BYTES = 4_096

interface Verdict {
  isClean: boolean
  /** What the daemon found, by the name that it has for it; null in a clean file. */
  signature: string | null
}

/** Looks for viruses. */
export interface Scanner {
  /**
   * The verdict on a file of exactly so many bytes. Throws service_unavailable where there is no answer, ScanRefusedError
   * for one that is no verdict, and what reading the bytes throws.
   */
  scan(bytes: AsyncIterable<Uint8Array>, sizeBytes: number): Promise<Verdict>
}

/** The daemon answered, and not with a verdict. */
export class ScanRefusedError extends Error {
  readonly answer: string

  constructor(answer: string) {
    super('the scanner gave no verdict')
    this.name = 'ScanRefusedError'
    this.answer = answer.slice(0, 200)
  }
}

interface ClamdOptions {
  /** `host:port`, or the path of a Unix socket. */
  address: string
  /** For the whole scan. */
  timeoutMs?: number
}

/** ClamAV's daemon there, one connection for each file. */
export const clamdScanner = ({ address, timeoutMs = TIMEOUT_MS }: ClamdOptions): Scanner => ({
  async scan(bytes, sizeBytes) {
    const socket = connect(endpointOf(address))
    const answer = answerOf(socket, AbortSignal.timeout(timeoutMs))
    const over = new AbortController()
    try {
      // An answer that comes before the end of the file is about what was sent: the file is too long.
      const sent = await Promise.race([
        answer.then(() => false),
        send({ socket, over: over.signal }, bytes, sizeBytes).then(() => true),
      ])
      const text = await answer
      const verdict = verdictIn(text)
      if (!sent && verdict.isClean) throw new ScanRefusedError(text)
      return verdict
    } finally {
      over.abort()
      socket.destroy()
      answer.catch(() => {})
    }
  },
})

function endpointOf(address: string): { path: string } | { host: string; port: number } {
  if (address.startsWith('/')) return { path: address }
  const colon = address.lastIndexOf(':')
  return { host: address.slice(0, colon).replace(/^\[(.*)\]$/, '$1'), port: Number(address.slice(colon + 1)) }
}

interface Line {
  socket: Socket
  /** Aborted when nothing more is to be sent. */
  over: AbortSignal
}

/** Each piece goes behind its length; a length of 0 ends the file, so an empty piece is not sent. */
async function send(line: Line, bytes: AsyncIterable<Uint8Array>, sizeBytes: number): Promise<void> {
  await write(line, Buffer.from('zINSTREAM\0'))
  let sent = 0
  for await (const piece of bytes) {
    sent += piece.length
    if (sent > sizeBytes) break
    if (piece.length > 0) await write(line, Buffer.concat([lengthOf(piece.length), piece]))
  }
  // What was cut off would be called clean for its beginning.
  if (sent !== sizeBytes) throw unavailable(new Error(`${sent} bytes of ${sizeBytes} could be read`))
  await write(line, lengthOf(0))
}

function lengthOf(length: number): Buffer {
  const field = Buffer.alloc(4)
  field.writeUInt32BE(length)
  return field
}

/** Waits while the daemon is slower than the source. A connection that has ended fails the answer, and takes nothing more. */
async function write({ socket, over }: Line, bytes: Buffer): Promise<void> {
  if (socket.destroyed) throw unavailable()
  if (socket.write(bytes)) return
  await once(socket, 'drain', { signal: over }).catch((cause: unknown) => {
    throw unavailable(cause)
  })
}

/** What the daemon says up to its NUL. */
function answerOf(socket: Socket, deadline: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = Buffer.alloc(0)
    const fail = (cause?: unknown): void => {
      reject(unavailable(cause))
      socket.destroy()
    }
    deadline.addEventListener('abort', () => fail(deadline.reason), { once: true })
    socket.on('error', fail)
    socket.on('close', () => fail())
    socket.on('data', (bytes: Buffer) => {
      said = Buffer.concat([said, bytes])
      const end = said.indexOf(0)
      if (end >= 0) resolve(said.toString('utf8', 0, end))
      else if (said.length > MAX_ANSWER_BYTES) reject(new ScanRefusedError(said.toString('utf8')))
    })
  })
}

function verdictIn(answer: string): Verdict {
  if (answer === 'stream: OK') return { isClean: true, signature: null }
  const found = /^stream: (\S\P{Cc}{0,199}) FOUND$/u.exec(answer)
  if (!found) throw new ScanRefusedError(answer)
  return { isClean: false, signature: found[1]! }
}

const unavailable = (cause?: unknown): ServiceError =>
  new ServiceError('service_unavailable', { message: 'The scanner does not answer.', cause })
