import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sharedMesh } from '@svc/testing'
import { builtCli } from '../../cli/test/built.ts'
import { playMainJob } from './main-job.ts'

const system = sharedMesh('journeys')
const cli = builtCli()

const dispatch = (args: string[], input?: string) =>
  cli.told(args, { input, env: { DISPATCH_BASE_URL: system.baseUrl } })

/** The one value that a command answers. */
const answerOf = async (args: string[], input?: string) => (await dispatch(args, input))[0]

playMainJob(system, {
  signUp: async ({ email, business_name, password }) =>
    (await answerOf(['signup', email, business_name], `${password}\n`)).merchant_id,
  async goLive({ email, password }) {
    await dispatch(['login', '--email', email, '--live'], `${password}\n`)
    return cli.keyOf('default')
  },
  enableEndpoint: async (url) => (await answerOf(['endpoint', 'set', url])).secret,
  async place(order) {
    const file = join(cli.folder, 'order.json')
    writeFileSync(file, JSON.stringify(order))
    return (await answerOf(['orders', 'create', file])).id
  },
  assign: (orderId, riderId) => dispatch(['orders', 'assign', orderId, riderId]),
  cancel: (orderId) => dispatch(['orders', 'cancel', orderId]),
  async eventsOf(orderId) {
    const { stdout } = await cli.run(['orders', 'get', orderId])
    return [...stdout.matchAll(/ {2}(order\.\w+)$/gm)].map(([, name]) => name!)
  },
  statement: () => answerOf(['statement']),
})
