import { execFile } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { eventually, type Mesh } from '@svc/testing'
import pg from 'pg'
import { joinFleet, openRateCard, openZone, operatorOf, type TestRider } from '../journeys/fleet.ts'
import { Api, answered, type SignedUp, signUp } from '../journeys/merchant.ts'
import { topUp } from '../journeys/money.ts'
import type { MeshCertificates } from './mesh-certificates.ts'
import { type Block, blocksOf } from './page.ts'
import type { startPrometheus } from './prometheus.ts'

const root = resolve(import.meta.dirname, '../..')
const BLOCK_WITHIN_MS = 120_000
const MAX_OUTPUT = 64 * 1024 * 1024

/** A merchant that may trade live, with a key that may. */
export type LiveMerchant = SignedUp & { live: Api }

/** Of a live merchant that may do everything, and its rider. */
export interface Fleet {
  merchant: SignedUp
  live: Api
  rider: TestRider
}

/** What faults are caused in, and where pages are followed. */
export interface Stage {
  system: Mesh
  prometheus: Awaited<ReturnType<typeof startPrometheus>>
  /** By which its processes know each other. */
  certificates: MeshCertificates
  /** A merchant of its own, with its sandbox. */
  merchant(): Promise<SignedUp>
  /** One of its own that is approved. */
  liveMerchant(): Promise<LiveMerchant>
  operator(): Promise<Api>
  /** One for all. */
  fleet(): Promise<Fleet>
  /** As the superuser of the database of a service. */
  sql<Row extends object>(service: string, text: string, values?: unknown[]): Promise<Row[]>
  /** A session of a person that stays open, as one that was forgotten; what ends it from outside is no error. */
  session(service: string): Promise<pg.Client>
  /** Does it again and again until the stage is cleared of it; failures are the fault's. */
  repeat(everyMs: number, work: () => Promise<unknown>): () => void
  pidOf(name: string): number
  /** Commands in the environment of a process. */
  shell(commands: string, process: string): Promise<string>
  /** Runs every block of a section of a runbook as printed, with these in the place of what the page leaves open. */
  follow(section: string, values?: Record<string, string>): Promise<void>
  /** What a page said that did not work. */
  readonly failures: string[]
}

export function stageOf({
  system,
  prometheus,
  certificates,
}: Pick<Stage, 'system' | 'prometheus' | 'certificates'>): Stage {
  const superuserOf = (service: string): string => {
    const url = new URL(system.databaseUrls[service]!.owner)
    url.username = 'postgres'
    url.password = 'test'
    return url.href
  }
  const connect = async (service: string) => {
    const client = new pg.Client({ connectionString: superuserOf(service) })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  async function play(block: Block, values: Record<string, string>): Promise<string> {
    const { language, text } = block
    const isAdministrator = block.process === 'administrator'
    const name = isAdministrator ? values['service'] : (block.process ?? values['service'])
    if (language === 'promql') {
      for (const line of text.split('\n').filter(Boolean)) await prometheus.series(line)
      return ''
    }
    if (language === 'sql') {
      if (!name) throw new Error(`which database is this for?\n${text}`)
      const url = isAdministrator ? superuserOf(name) : system.databaseUrls[name]!.worker
      const given = Object.entries(values).flatMap(([key, value]) => ['-v', `${key}=${value}`])
      return run('psql', ['-X', '-v', 'ON_ERROR_STOP=1', ...given, url], process.env, text)
    }
    const told = Object.fromEntries(Object.entries(values).map(([key, value]) => [key.toUpperCase(), value]))
    const PATH = [dirname(process.execPath), kafkaPrograms(), process.env['PATH']].join(':')
    const env = { ...process.env, ...(name && environmentOf(system, name)), BASE_URL: system.baseUrl, ...told, PATH }
    return run('bash', ['-euo', 'pipefail', '-c', text], { ...env, NODE_OPTIONS: '' })
  }

  let fleet: Promise<Fleet> | undefined
  const failures: string[] = []
  let merchants = 0
  // From an address of its own: sign-ups are counted by it.
  const merchant = () => signUp(system.baseUrl, `127.77.1.${++merchants}`)
  return {
    system,
    prometheus,
    certificates,
    merchant,
    liveMerchant: async () => approved(system, await operatorOf(system), await merchant()),
    operator: () => operatorOf(system),
    fleet: () => {
      fleet ??= openFleet(system)
      return fleet
    },
    async sql(service, text, values = []) {
      const client = await connect(service)
      try {
        return (await client.query(text, values)).rows
      } finally {
        await client.end()
      }
    },
    session: connect,
    repeat(everyMs, work) {
      const timer = setInterval(() => void work().catch(() => undefined), everyMs)
      return () => clearInterval(timer)
    },
    pidOf: (name) => pidOf(system, name),
    shell: (text, process) => play({ language: 'sh', process, text }, {}),
    failures,
    async follow(section, values = {}) {
      const blocks = blocksOf(section)
      if (blocks.length === 0) throw new Error(`${section} has no commands`)
      for (const block of blocks) {
        const said = await play(block, values).catch((error: Error) => {
          failures.push(section)
          return `does NOT work: ${error.message}`
        })
        if (said.startsWith('does NOT')) console.error(`  ${section}\n${block.text}\n${said}`)
        if (process.env['SHOW']) console.log(`--- ${section}\n${block.text}\n${said}`)
      }
      console.log(`  followed ${section}: ${blocks.length} blocks`)
    },
  }
}

function pidOf(system: Mesh, name: string): number {
  const file = system.pidFiles().find((path) => basename(path) === `${name}.pid`)
  if (!file) throw new Error(`${name} does not run`)
  return Number.parseInt(readFileSync(file, 'utf8'), 10)
}

/** What a process that runs found in its environment. */
export function environmentOf(system: Mesh, name: string): Record<string, string> {
  const lines = readFileSync(`/proc/${pidOf(system, name)}/environ`, 'utf8')
    .split('\0')
    .filter(Boolean)
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}

/** A folder with the programs of Kafka's distribution that pages name; what is installed here are the classes behind them. */
function kafkaPrograms(): string {
  const folder = join(root, '.local/cache/kafka-programs')
  const [jars] = globSync('kafka-*/', { cwd: join(root, '.local/cache') }).filter((name) => /^kafka-\d/.test(name))
  mkdirSync(folder, { recursive: true })
  const program = `#!/bin/sh\nexec java -cp '${root}/.local/cache/${jars}/*' kafka.admin.ConfigCommand "$@"\n`
  writeFileSync(join(folder, 'kafka-configs.sh'), program, { mode: 0o755 })
  return folder
}

async function approved(system: Mesh, operator: Api, merchant: SignedUp): Promise<LiveMerchant> {
  const approval = { kyb_status: 'verified', business_approval_status: 'approved' }
  answered(200, await operator.patch(`/v1/admin/merchants/${merchant.merchantId}`, approval))
  const key = answered(201, await merchant.owner.post('/v1/me/api-keys', { label: 'live' }))
  return { ...merchant, live: new Api(system.baseUrl).bearing(key.body.api_key) }
}

/** A live merchant with a zone, a price, money and a rider. */
export async function openFleet(system: Mesh): Promise<Fleet> {
  const anyone = new Api(system.baseUrl)
  const operator = await operatorOf(system)
  const { live, ...merchant } = await approved(system, operator, await signUp(system.baseUrl))
  await openZone(operator, merchant.merchantId)
  await openRateCard(operator, merchant.merchantId)
  await eventually(() => topUp(system, live, 10_000_000))
  const rider = await joinFleet({ system, anyone, operator, live }, 'Bola Near', 0.002)
  return { merchant, live, rider }
}

/** What a program said on both outputs; rejects with it where the program ends in an error. */
function run(program: string, args: string[], env: NodeJS.ProcessEnv, input = ''): Promise<string> {
  return new Promise((done, fail) => {
    const options = { cwd: root, env, timeout: BLOCK_WITHIN_MS, maxBuffer: MAX_OUTPUT }
    const child = execFile(program, args, options, (error, stdout, stderr) =>
      error ? fail(new Error(`${error.message}\n${stdout}\n${stderr}`)) : done(stdout + stderr),
    )
    child.stdin?.end(input)
  })
}
