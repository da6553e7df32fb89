// A merchant's endpoint: it keeps what is posted to it, and tells it to whoever asks. With FORWARD_TO it is the way there: it
// answers what the endpoint answers.
import { createServer } from 'node:http'

const { FORWARD_TO, PORT } = process.env
const OF_ONE_CONNECTION = ['host', 'connection', 'content-length', 'transfer-encoding']
const posted = []

async function answer(method, headers, body) {
  if (method !== 'POST') return { status: 200, text: JSON.stringify(posted) }
  if (!FORWARD_TO) {
    posted.push({ headers, body: body.toString('base64') })
    return { status: 200, text: '' }
  }
  const passed = Object.entries(headers).filter(([name]) => !OF_ONE_CONNECTION.includes(name))
  const answered = await fetch(FORWARD_TO, { method, headers: passed, body })
  return { status: answered.status, text: await answered.text() }
}

async function serve(request, response) {
  const parts = []
  for await (const part of request) parts.push(part)
  const { status, text } = await answer(request.method, request.headers, Buffer.concat(parts)).catch((error) => ({
    status: 502,
    text: error.message,
  }))
  response.writeHead(status).end(text)
}

const server = createServer((request, response) => void serve(request, response))
server.listen(Number(PORT))
process.once('SIGTERM', () => server.close().closeIdleConnections())
