import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.mjs': 'text/javascript' }
const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome']

/**
 * Has a headless browser open the page, and answers what it found. The page comes from a server that hands `/v1` on to the
 * API, as a shop's own does: the API answers no page of another origin.
 */
export async function inBrowser(folder: string, asked: { baseUrl: string }): Promise<string> {
  const found = Promise.withResolvers<string>()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const path = request.url ?? '/'
    const body = Buffer.concat(await request.toArray())
    if (path.startsWith('/v1/')) return handOn(asked.baseUrl, request, body, response)
    if (path === '/found') found.resolve(body.toString())
    if (path === '/asked') return response.end(JSON.stringify(asked))
    if (path === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(read(folder, 'page.html'))
    const type = TYPES[extname(path)]
    return type ? response.writeHead(200, { 'content-type': type }).end(read(folder, path)) : response.end()
  }
  const server = createServer((request, response) => void answer(request, response).catch(found.reject))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const program = process.env['CHROMIUM'] ?? PROGRAMS[0]!
  const profile = join(folder, 'profile')
  const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run']
  const browser = spawn(program, [...options, `--user-data-dir=${profile}`, `http://127.0.0.1:${port}/`], {
    stdio: 'ignore',
    detached: true,
  })
  browser.once('error', found.reject)
  const timer = setTimeout(() => found.reject(new Error('the browser found nothing within a minute')), 60_000)
  try {
    return await found.promise
  } finally {
    clearTimeout(timer)
    // With all the processes that it started.
    if (browser.pid !== undefined) process.kill(-browser.pid, 'SIGKILL')
    server.closeAllConnections()
    server.close()
  }
}

const read = (folder: string, path: string) => readFileSync(join(folder, path))

async function handOn(
  baseUrl: string,
  request: IncomingMessage,
  body: Buffer<ArrayBuffer>,
  response: ServerResponse,
): Promise<void> {
  const kept = ['authorization', 'content-type', 'accept', 'idempotency-key']
  const headers = kept.flatMap((name) => (request.headers[name] ? [[name, String(request.headers[name])]] : []))
  const answer = await fetch(`${baseUrl}${request.url}`, {
    method: request.method,
    headers: headers as [string, string][],
    body: body.length > 0 ? body : undefined,
  })
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
  response.end(await answer.text())
}
