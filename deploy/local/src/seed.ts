import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type MeshSettings, ownerEnvironmentOf } from '@svc/mesh'

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
  /** With none, until somebody grants them. */
  newcomers: Login[]
}

/** Who is there after every start, the same each time. */
export function demoOf({ secrets }: MeshSettings): Demo {
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
  }
}

/** Makes sure that the demo merchant, its keys and the operators exist; changes nothing that is there. */
export async function seed(settings: MeshSettings): Promise<void> {
  const admin = settings.processes.find(({ name }) => name === 'admin')
  if (!admin || !existsSync(join(admin.folder, 'src/seed.ts'))) return
  const demo = demoOf(settings)
  const child = spawn(process.execPath, ['--conditions=source', 'src/seed.ts'], {
    cwd: admin.folder,
    env: ownerEnvironmentOf(admin, settings),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stdin.end(
    JSON.stringify({
      merchant: demo.merchant,
      test_api_key: demo.testApiKey,
      live_api_key: demo.liveApiKey,
      operators: [
        ...demo.administrators.map((login) => ({ ...login, role: 'administrator' })),
        ...demo.newcomers.map((login) => ({ ...login, role: null })),
      ],
    }),
  )
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`seeding the demo data failed:\n${output}`)
}
