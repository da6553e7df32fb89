import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { clamdScanner, ScanRefusedError } from '@svc/clamd'
import { type ClamdServer, claimFolder, startClamd } from '@svc/servers'

// In two halves, lest this file be found.
const MARKER = ['delivery-dispatch-', 'test-virus-7f3c91'].join('')
const MAX_BYTES = 4 * 1024 * 1024
const MEBIBYTE = 1024 * 1024

async function* inPieces(bytes: Buffer, size = 1_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const scan = (address: string, bytes: Buffer, size?: number) =>
  clamdScanner({ address }).scan(inPieces(bytes, size), bytes.length)

const unavailable = expect.objectContaining({ code: 'service_unavailable' })

describe('with the real daemon', () => {
  let clamd: ClamdServer | undefined
  let missing: unknown
  beforeAll(async () => {
    try {
      clamd = await startClamd({
        folder: claimFolder(join(tmpdir(), 'delivery-dispatch-clamd')),
        cacheFolder: join(import.meta.dirname, '../../../.local/cache'),
        signatures: { OwnTestVirus: MARKER },
        maxBytes: MAX_BYTES,
        report: (line) => void process.stderr.write(`${line}\n`),
      })
    } catch (error) {
      missing = error
    }
  })
  afterAll(() => clamd?.stop())

  /** Where no daemon is to be had the test says so, loudly: nothing of it has been tried. */
  const withDaemon = (name: string, work: (address: string) => Promise<void>) =>
    test(name, async () => {
      if (clamd) return work(clamd.address)
      process.stderr.write(`SKIPPED "${name}": no clamd is to be had: ${String(missing)}\n`)
    })

  withDaemon('a file without a signature is clean, whatever pieces it comes in', async (address) => {
    for (const [bytes, size] of [
      [Buffer.from('%PDF-1.7\nnothing to see'), 1],
      [Buffer.alloc(3 * MEBIBYTE, 'a'), 65_536],
      [Buffer.alloc(3 * MEBIBYTE, 'a'), 3 * MEBIBYTE],
      [Buffer.alloc(0), 1],
    ] as const)
      expect(await scan(address, bytes, size)).toEqual({ isClean: true, signature: null })
  })

  withDaemon('a file with one is infected, also where it lies across pieces, and its name is told', async (address) => {
    const file = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(999_980, '\n'), Buffer.from(MARKER)])
    for (const size of [7, 1_000, file.length])
      expect(await scan(address, file, size)).toEqual({
        isClean: false,
        signature: expect.stringMatching(/^OwnTestVirus/),
      })
  })

  withDaemon('many files at once each get their own verdict', async (address) => {
    const files = Array.from({ length: 20 }, (_, n) => Buffer.from(`%PDF-1.7\n${n % 2 ? MARKER : 'harmless'} ${n}`))
    const verdicts = await Promise.all(files.map((file) => scan(address, file)))
    expect(verdicts.map(({ isClean }) => isClean)).toEqual(files.map((_, n) => n % 2 === 0))
  })

  withDaemon('a file that it finds too long has no verdict', async (address) => {
    const answer = await scan(address, Buffer.alloc(MAX_BYTES + MEBIBYTE, 'a'), 65_536).catch((error: unknown) => error)
    // What it says may be lost with the connection that it closes.
    expect(answer instanceof ScanRefusedError ? answer.answer : (answer as { code?: string }).code).toMatch(
      /size limit exceeded|service_unavailable/,
    )
  })
})

describe('a daemon that', () => {
  /** Answers each connection in its way, whatever it is sent. */
  async function daemon(behave: (socket: Socket) => void) {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      behave(socket)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return {
      address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
      stop: () => {
        for (const socket of sockets) socket.destroy()
        server.close()
      },
    }
  }

  /** Says this once the file has ended, which the last piece of length 0 tells. */
  const says = (answer: string) => (socket: Socket) => {
    let received = Buffer.alloc(0)
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes])
      if (received.subarray(-4).equals(Buffer.alloc(4))) socket.end(answer)
    })
  }
  const FILE = Buffer.from('%PDF-1.7 a file')

  async function verdictOf(behave: (socket: Socket) => void, size = FILE.length, timeoutMs = 30_000) {
    const { address, stop } = await daemon(behave)
    try {
      return await clamdScanner({ address, timeoutMs }).scan(inPieces(FILE), size)
    } finally {
      stop()
    }
  }

  test.each([
    'stream: OK \0',
    'stream: ok\0',
    'OK\0',
    'file: OK\0',
    'stream: FOUND\0',
    'stream: OK\nstream: Virus FOUND\0',
    "stream: Can't allocate memory ERROR\0",
    'INSTREAM size limit exceeded. ERROR\0',
    'UNKNOWN COMMAND\0',
    '\0',
  ])('answers %j has given no verdict', async (answer) => {
    await expect(verdictOf(says(answer))).rejects.toBeInstanceOf(ScanRefusedError)
  })

  test('talks without end has given none either', async () => {
    await expect(verdictOf((socket) => void socket.write('x'.repeat(10_000)))).rejects.toBeInstanceOf(ScanRefusedError)
  })

  test('says OK before it has the whole file has given none', async () => {
    const endless = async function* () {
      for (;;) yield Buffer.alloc(65_536)
    }
    const { address, stop } = await daemon((socket) => void socket.write('stream: OK\0'))
    try {
      await expect(clamdScanner({ address }).scan(endless(), 2 ** 40)).rejects.toBeInstanceOf(ScanRefusedError)
    } finally {
      stop()
    }
  })

  test.each<[string, (socket: Socket) => void]>([
    ['hangs up at once', (socket) => socket.destroy()],
    ['hangs up in the middle of a word', says('stream: OK')],
  ])('%s is asked again', async (_name, behave) => {
    await expect(verdictOf(behave)).rejects.toEqual(unavailable)
  })

  test('says nothing is given up after a while', async () => {
    await expect(verdictOf(() => {}, FILE.length, 200)).rejects.toEqual(unavailable)
  })

  test('is not there is asked again', async () => {
    await expect(scan('/nowhere/clamd.ctl', FILE)).rejects.toEqual(unavailable)
  })

  test.each([FILE.length - 1, FILE.length + 1])(
    'calls a file clean of which %i bytes were to come: it was not that file',
    async (size) => {
      await expect(verdictOf(says('stream: OK\0'), size)).rejects.toEqual(unavailable)
    },
  )

  test('says OK says nothing about a file whose end could not be read', async () => {
    const broken = async function* () {
      yield FILE.subarray(0, 4)
      throw new Error('the store hung up')
    }
    const { address, stop } = await daemon(says('stream: OK\0'))
    try {
      await expect(clamdScanner({ address }).scan(broken(), FILE.length)).rejects.toThrow('the store hung up')
    } finally {
      stop()
    }
  })
})
