import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type MeshSettings, ownerEnvironmentOf } from '@svc/mesh'
import { type DemoRider, demoRiders, LAGOS, RATE_CARD } from './demo-city.ts'

const DEMO_FUNDS_MINOR = 10_000_000

export interface Login {
  email: string
  password: string
}

export interface Demo {
  merchant: Login & { id: string; name: string }
  testApiKey: string
  liveApiKey: string
  /** With every permission. */
  administrators: Login[]
  /** With none, until an operator grants them. */
  newcomers: Login[]
  /** Of the demo merchant's fleet: approved, and online within its zone. */
  riders: DemoRider[]
}

/** Who is there after every start, the same each time. */
export function demoOf({ secrets }: Pick<MeshSettings, 'secrets'>): Demo {
  const operator = (name: string): Login => {
    const email = `${name}@dispatch.localhost`
    return { email, password: secrets.operatorPassword(email) }
  }
  return {
    merchant: {
      id: secrets.merchantId,
      name: 'Demo Kitchen',
      email: 'owner@demo.localhost',
      password: secrets.ownerPassword,
    },
    testApiKey: secrets.testApiKey,
    liveApiKey: secrets.liveApiKey,
    administrators: [operator('ada'), operator('bayo')],
    newcomers: [operator('chidi')],
    riders: demoRiders(secrets.riderId),
  }
}

/** What each service that has some is handed of it. */
export function seedInputs(demo: Demo): Record<string, object> {
  return {
    admin: {
      merchant: demo.merchant,
      test_api_key: demo.testApiKey,
      live_api_key: demo.liveApiKey,
      operators: [
        ...demo.administrators.map((login) => ({ ...login, role: 'administrator' })),
        ...demo.newcomers.map((login) => ({ ...login, role: null })),
      ],
    },
    dispatch: { merchant_id: demo.merchant.id, area: LAGOS, rate_card: RATE_CARD, riders: demo.riders },
    wallet: {
      merchant_id: demo.merchant.id,
      funds_minor: DEMO_FUNDS_MINOR,
      rider_ids: demo.riders.map(({ id }) => id),
    },
  }
}

/** Makes sure that the demo data of every service exists; changes nothing that is there. */
export async function seed(settings: MeshSettings): Promise<void> {
  const inputs = Object.entries(seedInputs(demoOf(settings)))
  await Promise.all(inputs.map(([service, data]) => seedService(settings, service, data)))
}

/** Hands a service what it shall find, by the command that each has for it. */
async function seedService(settings: MeshSettings, service: string, data: object): Promise<void> {
  const found = settings.processes.find(({ name }) => name === service)
  if (!found || !existsSync(join(found.folder, 'src/commands/seed.ts'))) return
  const child = spawn(process.execPath, ['--conditions=source', 'src/commands/seed.ts'], {
    cwd: found.folder,
    env: ownerEnvironmentOf(found, settings),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stdin.end(JSON.stringify(data))
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`seeding ${service} failed:\n${output}`)
}
