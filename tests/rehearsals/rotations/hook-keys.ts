import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { eventually } from '@svc/testing'
import { Api, answered, type Reply } from '../../journeys/merchant.ts'
import { topUp } from '../../journeys/money.ts'
import type { Rotation } from '../rotation.ts'
import { openFleet } from '../stage.ts'

type Sign = (secret: string, body: string) => Record<string, string>

const hex = (header: string): Sign => {
  return (secret, body) => ({ [header]: createHmac('sha512', secret).update(body).digest('hex') })
}

const signedMail: Sign = (secret, body) => {
  const [id, timestamp] = [randomUUID(), String(Math.floor(Date.now() / 1_000))]
  const digest = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
  const signature = digest.update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': `v1,${signature}` }
}

interface Signer {
  path: string
  variable: string
  previous: string
  /** With which the double of the third parties signs the same. */
  double: string
  sign: Sign
  body: () => object
  fresh: string
}

const text = () => randomBytes(24).toString('base64url')

const SIGNERS: readonly Signer[] = [
  {
    path: '/webhooks/payments-a/platform',
    variable: 'PAYMENTS_SECRET_KEY',
    previous: 'PAYMENTS_PREVIOUS_SECRET_KEY',
    double: 'PAYMENTS_A_SECRET_KEY',
    sign: hex('x-payments-a-signature'),
    body: () => ({ event: 'customer.greeted', data: { id: randomUUID() } }),
    fresh: `sk_test_${text()}`,
  },
  {
    path: '/webhooks/email-a/inbound',
    variable: 'EMAIL_INBOUND_SECRET',
    previous: 'EMAIL_INBOUND_PREVIOUS_SECRET',
    double: 'EMAIL_INBOUND_SECRET',
    sign: signedMail,
    body: () => ({ type: 'email.opened', data: { email_id: randomUUID() } }),
    fresh: `whsec_${randomBytes(32).toString('base64')}`,
  },
  {
    path: '/webhooks/messaging-a/global',
    variable: 'MESSAGING_SECRET_KEY',
    previous: 'MESSAGING_PREVIOUS_SECRET_KEY',
    double: 'MESSAGING_A_SECRET_KEY',
    sign: hex('x-messaging-a-signature'),
    body: () => ({ type: 'status', message_id: randomUUID(), status: 'read' }),
    fresh: text(),
  },
]

/** With which third parties sign their hooks: ours first knows both, then they change over, then the old one goes. */
export const hookKeys: Rotation = {
  name: 'hook-keys',
  async rotate({ told, roll, anyone, system, stream, endStreams }) {
    const { live } = await openFleet(system)
    const old = new Map(SIGNERS.map(({ variable }) => [variable, told('ingestion', variable)]))
    const used = new Map(old)
    const post = ({ path, sign, body }: Signer, secret: string): Promise<Reply> => {
      const said = JSON.stringify(body())
      return anyone.send('POST', path, said, { 'content-type': 'application/json', ...sign(secret, said) })
    }
    for (const signer of SIGNERS)
      stream(signer.path, 300, async () => answered(200, await post(signer, used.get(signer.variable) ?? '')))

    const both = SIGNERS.map(({ variable, previous, fresh }) => [
      [variable, fresh],
      [previous, old.get(variable) ?? ''],
    ])
    await roll(['ingestion', 'wallet'], Object.fromEntries(both.flat()))
    await topUp(system, live, 1_000_000)
    for (const { variable, fresh } of SIGNERS) used.set(variable, fresh)
    system.tell('providers', Object.fromEntries(SIGNERS.map(({ double, fresh }) => [double, fresh])))
    await system.kill('providers', 'SIGTERM')
    const double = new Api(system.providersUrl)
    await eventually(async () => (await double.get('/__control/outbox')).status === 200)
    await topUp(system, live, 1_000_000)
    await roll(['ingestion', 'wallet'], Object.fromEntries(SIGNERS.map(({ previous }) => [previous, ''])))
    await topUp(system, live, 1_000_000)
    await endStreams()
    for (const signer of SIGNERS) answered(401, await post(signer, old.get(signer.variable) ?? ''))
  },
}
