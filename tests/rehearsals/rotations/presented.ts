import { eventually } from '@svc/testing'
import { Api, answered } from '../../journeys/merchant.ts'
import { callsToProviders } from '../calls-to-providers.ts'
import type { Rotation } from '../rotation.ts'

/** By provider the variables with what it knows us by, of which a request shows the first, and who has them. */
const PRESENTED: Readonly<Record<string, { variables: readonly string[]; processes: readonly string[] }>> = {
  'email-a': { variables: ['MAIL_API_KEY'], processes: ['admin', 'ingestion', 'wallet', 'webhook'] },
  'messaging-a': { variables: ['MESSAGING_API_KEY'], processes: ['dispatch', 'ingestion'] },
  cloud: { variables: ['CLOUD_APP_SECRET'], processes: ['ingestion'] },
  oidc: { variables: ['MERCHANT_OIDC_CLIENT_SECRET', 'OPERATOR_OIDC_CLIENT_SECRET'], processes: ['admin'] },
  'object-store': {
    variables: ['OBJECT_STORE_ACCESS_KEY_ID', 'OBJECT_STORE_SECRET_ACCESS_KEY'],
    processes: ['admin', 'dispatch', 'ingestion'],
  },
}
/** A phone is sent so many codes an hour and no more. */
const EVERY_MS = 4_000
const ASKED_WITHIN_MS = 60_000
/** The end of a second secret. */
const NEXT = '-2'

interface Seen {
  provider: string
  credential: string
  taken: number
  refused: number
}

/** A provider takes a second secret beside the first, we come with the second, and the first is taken no more. */
export const presented: Rotation = {
  name: 'presented',
  async rotate(rotating) {
    const { told, tell, rollTogether, stream, endStreams, system } = rotating
    const double = new Api(system.providersUrl)
    const old = Object.entries(PRESENTED).map(
      ([provider, { variables, processes }]) => [provider, told(processes[0]!, variables[0]!)] as const,
    )
    const take = async (secrets: (old: string) => string[]) => {
      for (const [provider, secret] of old)
        answered(200, await double.post('/__control/credentials', { provider, taken: secrets(secret) }))
    }

    /** How often each provider has been asked with a secret that ends so. */
    const asked = async (end: string): Promise<number[]> => {
      const items: Seen[] = answered(200, await double.get('/__control/credentials')).body.items
      const refused = items.filter((one) => one.refused > 0)
      if (refused.length > 0) throw new Error(`providers refused us: ${JSON.stringify(refused)}`)
      return old.map(
        ([provider, secret]) =>
          items.find((one) => one.provider === provider && one.credential === secret + end)?.taken ?? 0,
      )
    }
    /** Until each has been asked once more with a secret that ends so. */
    const allAsked = async (end: string) => {
      const before = await asked(end)
      await eventually(async () => (await asked(end)).every((count, index) => count > before[index]!), {
        timeoutMs: ASKED_WITHIN_MS,
      })
    }

    const calls = await callsToProviders(rotating)
    await take((secret) => [secret])
    for (const [provider, call] of Object.entries(calls)) stream(provider, EVERY_MS, call)
    await allAsked('')

    await take((secret) => [secret, secret + NEXT])
    for (const { variables, processes } of Object.values(PRESENTED))
      for (const process of processes)
        tell(process, Object.fromEntries(variables.map((name) => [name, told(process, name) + NEXT])))
    await rollTogether([...new Set(Object.values(PRESENTED).flatMap(({ processes }) => processes))])
    await take((secret) => [secret + NEXT])
    await allAsked(NEXT)
    await endStreams()
    const counts = [await asked(''), await asked(NEXT)]
    for (const [index, [provider]] of old.entries())
      console.log(
        `  ${provider}: asked ${counts.map((each) => each[index]).join(' times with the old one, with the new one ')}`,
      )
  },
}
