import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** Header names and values alternating, spelt as they arrived. */
  rawHeaders: string[]
  /** The exact bytes; signatures are checked over these. */
  body: Buffer
  json(): unknown
  at: Date
}

export interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: string | Buffer
  /** Close the connection without an answer. */
  drop?: boolean
}

/** Decides the answer to a request; a promise that never settles is a receiver that hangs. */
export type Respond = (request: ReceivedRequest, index: number) => Reply | undefined | Promise<Reply | undefined>

export interface Receiver {
  url: string
  port: number
  requests: ReceivedRequest[]
  respond(answer: Respond): void
  /** Resolves with the first request, past or future, that satisfies the predicate. */
  waitFor(predicate: (request: ReceivedRequest) => boolean, timeoutMs?: number): Promise<ReceivedRequest>
  close(): Promise<void>
}

export interface ReceiverOptions {
  host?: string
  port?: number
  respond?: Respond
}

/** A plain HTTP server that records raw requests and answers 200 unless told otherwise. */
export async function receiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const host = options.host ?? '127.0.0.1'
  const requests: ReceivedRequest[] = []
  const watchers = new Set<() => void>()
  let respond: Respond = options.respond ?? (() => undefined)

  const server = createServer((incoming, outgoing) => {
    readRequest(incoming)
      .then(async (request) => {
        const index = requests.push(request) - 1
        for (const watch of watchers) watch()
        send(outgoing, (await respond(request, index)) ?? {})
      })
      .catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, host, resolve)
  })
  const { port } = server.address() as AddressInfo

  return {
    url: `http://${host}:${port}`,
    port,
    requests,
    respond: (answer) => {
      respond = answer
    },
    waitFor: (predicate, timeoutMs = 60_000) =>
      new Promise((resolve, reject) => {
        const finish = (settle: () => void) => {
          watchers.delete(look)
          clearTimeout(timer)
          settle()
        }
        const look = () => {
          const found = requests.find(predicate)
          if (found) finish(() => resolve(found))
        }
        const timer = setTimeout(
          () => finish(() => reject(new Error(`no matching request among ${requests.length} in ${timeoutMs} ms`))),
          timeoutMs,
        )
        watchers.add(look)
        look()
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function readRequest(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    rawHeaders: incoming.rawHeaders,
    body,
    json: () => JSON.parse(body.toString('utf8')),
    at: new Date(),
  }
}

function send(outgoing: ServerResponse, reply: Reply): void {
  if (reply.drop) {
    outgoing.destroy()
    return
  }
  outgoing.writeHead(reply.status ?? 200, reply.headers)
  outgoing.end(reply.body ?? '')
}
