import { randomBytes } from 'node:crypto'
import { answered } from '../../journeys/merchant.ts'
import type { Rotation } from '../rotation.ts'

const VARIABLE = 'KEY_ENCRYPTION_KEY'
const SERVICES = ['webhook', 'ingestion']
const SECRET = 'secret of a shop, as it signs'

/** The new key first opens, then seals, then everything is sealed by it; the old one opens nothing more and goes. */
export const sealed: Rotation = {
  name: 'sealed',
  async rotate({ told, roll, command, sql, anyone, logIn, stream }) {
    const owner = anyone.bearing((await logIn()).access_token)
    const settings = { secret: SECRET }
    answered(200, await owner.send('PUT', '/v1/me/ingestion/storefront-b', settings))
    const old = told('webhook', VARIABLE)
    const fresh = `fresh:${randomBytes(32).toString('base64')}`
    stream('secrets', 1_000, async () => answered(200, await owner.get('/v1/me/outbound-webhook')))
    await roll(SERVICES, { [VARIABLE]: `${old},${fresh}` })
    await roll(SERVICES, { [VARIABLE]: `${fresh},${old}` })
    for (const service of SERVICES) console.log(`  ${service}: ${(await command(service, 'reseal-secrets')).trim()}`)
    await roll(SERVICES, { [VARIABLE]: fresh })

    for (const [service, text] of [
      [
        'webhook',
        'SELECT coalesce(secret, test_secret) AS secret FROM endpoint WHERE coalesce(secret, test_secret) IS NOT NULL',
      ],
      ['ingestion', 'SELECT secret FROM channel_settings WHERE secret IS NOT NULL'],
    ] as const) {
      const rows = await sql<{ secret: string }>(service, text)
      if (rows.length === 0 || !rows.every(({ secret }) => secret.startsWith('fresh:')))
        throw new Error(`the old key still seals secrets of ${service}`)
    }
    for (const service of SERVICES) {
      const { unopened } = JSON.parse(await command(service, 'reseal-secrets', { [VARIABLE]: fresh }))
      if (unopened !== 0) throw new Error(`${unopened} secrets of ${service} cannot be opened`)
    }
  },
}
