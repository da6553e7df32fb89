import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { sharedMesh } from '@svc/testing'
import { playMainJob } from './main-job.ts'

const HELPERS = resolve(import.meta.dirname, '../../docs/guides/shell.sh')
const system = sharedMesh('journeys')

let key = ''

/** What a line of a shell answers that has curl and the helpers of the guides; bodies stand in its `$BODY`. */
async function answerOf(line: string, body: object = {}) {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', `. "$HELPERS"\n${line}`], {
    env: { ...process.env, HELPERS, BASE_URL: system.baseUrl, API_KEY: key, BODY: JSON.stringify(body) },
    timeout: 60_000,
  })
  const answer = JSON.parse(stdout)
  if (answer.error) throw new Error(`${line}: ${stdout}`)
  return answer
}

playMainJob(system, {
  signUp: async (owner) =>
    (await answerOf('public /v1/public/merchants/signup "$BODY"', { ...owner, website: '' })).merchant.id,
  async goLive({ email, password }) {
    const { access_token } = await answerOf('public /v1/public/login "$BODY"', { email, password })
    key = access_token
    key = (await answerOf('call POST /v1/me/api-keys "$BODY"', { label: 'shop' })).api_key
    return key
  },
  enableEndpoint: async (url) =>
    (await answerOf('call PATCH /v1/me/outbound-webhook "$BODY"', { url, enabled: true })).secret,
  place: async (order) => (await answerOf('call POST /v1/orders "$BODY"', order)).order.id,
  assign: (orderId, rider_id) => answerOf(`call POST /v1/orders/${orderId}/rider-assignment "$BODY"`, { rider_id }),
  cancel: (orderId) => answerOf(`call POST /v1/orders/${orderId}/cancel "$BODY"`, { reason: 'cancelled_by_merchant' }),
  eventsOf: async (orderId) =>
    (await answerOf(`call GET '/v1/events?order_id=${orderId}'`)).events.map(({ event }: { event: string }) => event),
  statement: () => answerOf("call GET '/v1/me/wallet?limit=200'"),
})
