import { execFile } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { freePort, sharedMesh } from '@svc/testing'
import pg from 'pg'
import { openRateCard, openZone, operatorOf } from './fleet.ts'
import { type Api, answered, type SignedUp, signUp } from './merchant.ts'
import { topUp } from './money.ts'

const GUIDES = resolve(import.meta.dirname, '../../docs/guides')
const system = sharedMesh('journeys')

let folder: string
let operator: Api
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'copied-guides-'))
  // What a run by `npm start` leaves in the clone.
  await mkdir(join(folder, '.local'))
  operator = await operatorOf(system)
  const stack = {
    admin_static_token: system.adminStaticToken,
    providers_url: system.providersUrl,
    demo: { operators: await twoPeople() },
  }
  await writeFile(join(folder, '.local/stack.json'), JSON.stringify(stack))
})
afterAll(() => rm(folder, { recursive: true }))

/** Two administrators who approve beside each other, as the command makes them: under their ids nobody is known as their maker. */
async function twoPeople(): Promise<Array<{ email: string; password: string }>> {
  const people = ['ada', 'bayo'].map((name) => ({
    email: `${name}-${randomUUID()}@example.com`,
    password: randomUUID(),
  }))
  const made = people.map((person) => operator.post('/v1/admin/rbac/identities', { ...person, role: 'administrator' }))
  const ids = (await Promise.all(made)).map((answer) => answered(201, answer).body.identity.id as string)
  const admin = new pg.Client({ connectionString: system.databaseUrls['admin']!.worker })
  await admin.connect()
  await admin.query('UPDATE operators SET id = gen_random_uuid() WHERE id = ANY ($1)', [ids])
  await admin.end()
  return people
}

/** A merchant of its own for each guide: it may trade live, has money, a price and an area. */
async function tradingMerchant(): Promise<SignedUp> {
  const merchant = await signUp(system.baseUrl, ownAddress())
  const approved = { kyb_status: 'verified', business_approval_status: 'approved' }
  answered(200, await operator.patch(`/v1/admin/merchants/${merchant.merchantId}`, approved))
  await openRateCard(operator, merchant.merchantId)
  await openZone(operator, merchant.merchantId)
  await topUp(system, merchant.owner, 10_000_000)
  return merchant
}

/** Limits count per address, and five may sign up from one within an hour. */
const ownAddress = () => `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`

const scriptOf = async (guide: string): Promise<string> =>
  [...(await readFile(resolve(GUIDES, guide), 'utf8')).matchAll(/```sh\n([^]*?)```/g)]
    .map(([, block]) => block!)
    .join('\n')

const keyOf = async ({ owner }: SignedUp, isTest: boolean): Promise<string> =>
  answered(201, await owner.post('/v1/me/api-keys', { is_test: isTest })).body.api_key

/** What a shell prints of all that the guide has one do, line by line. */
async function play(guide: string): Promise<string[]> {
  const merchant = await tradingMerchant()
  const script = (await scriptOf(guide))
    .replaceAll('http://127.0.0.1:8080', system.baseUrl)
    .replaceAll(/\b9000\b/g, String(await freePort()))
    .replace('svc_test_…', await keyOf(merchant, true))
    .replace('svc_live_…', await keyOf(merchant, false))
  expect(script).not.toContain('…')
  await writeFile(join(folder, '.curlrc'), `interface = ${ownAddress()}\n`)
  // What a guide leaves running in the background ends with it, also where a line fails.
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', `${END_ALL}\n${script}`], {
    cwd: folder,
    env: { ...process.env, CURL_HOME: folder },
    timeout: 120_000,
  })
  return stdout.trim().split('\n')
}

const END_ALL = `trap 'jobs -p | xargs --no-run-if-empty kill 2>/dev/null || true' EXIT`

/** What the guide says after `#` that its lines print. */
const promised = async (guide: string): Promise<string[]> =>
  [...(await scriptOf(guide)).matchAll(/^(?!\w+=).* {3}# (.+)$/gm)].map(([, said]) => said!)

const PLAYED: ReadonlyArray<[guide: string, answers: number, whoCopiesIt: string]> = [
  ['accounts', 10, 'confirms an address, chooses another password, forgets it and is in again'],
  ['authentication', 12, 'calls by key and by log-in, on either side, and is refused where it says so'],
  ['cash-on-delivery', 6, 'sees cash collected, handed over in part and accounted for'],
  ['dispatch', 10, 'has a rider of its own who is offered the order, accepts and delivers it'],
  ['going-live', 9, 'is reviewed with a document that was scanned, approved, and ready for a live order'],
  ['idempotency', 5, 'repeats what was not answered and is answered the past, the present or a refusal'],
  ['inbound-hooks', 5, 'is a shop whose hook is believed once and becomes an order'],
  ['limits', 4, 'calls too often and is told by which limit'],
  ['mail-orders', 3, 'has a mail that becomes one order'],
  ['operators', 16, 'approves a business, gives it a price and an area, pays out by two, and mends a dead letter'],
  ['orders', 15, 'has them priced, made, moved, cancelled and found'],
  ['quick-start', 4, 'has gone from nothing to webhooks whose signatures it has checked'],
  ['quotes', 7, 'knows where it is delivered, at which price, and orders at it'],
  ['rider-apps', 25, 'joins as a rider, is asked, carries an order for cash, proves it and sees what it earned'],
  ['sandbox', 13, 'drives an order, plays a scenario, has webhooks go wrong and lets time pass'],
  ['shipments', 8, 'has submitted one, cancelled another, and sees how far they are'],
  ['team-access', 5, 'acts for another merchant, by a header and by a token, until the grant is revoked'],
  ['tracking', 7, 'follows an order by its link, as a page and as JSON, to its end'],
  ['wallet', 11, 'tops up, withdraws, takes it back and looks at a plan'],
  ['webhooks', 15, 'has them sent, checks them, sees what became of them and catches up'],
]

test('every guide that has a program is played', async () => {
  const names = (await readdir(GUIDES)).filter((file) => file.endsWith('.md'))
  const programs = await Promise.all(names.map(async (name) => ((await scriptOf(name)) ? [name.slice(0, -3)] : [])))
  expect(PLAYED.map(([name]) => name)).toEqual(programs.flat().toSorted())
})

test.each(PLAYED)('who copies the guide of %s, with %i answers, %s, as its comments say', async (guide, answers) => {
  const said = await promised(`${guide}.md`)
  expect(said).toHaveLength(answers)
  expect(await play(`${guide}.md`)).toEqual(said)
})
