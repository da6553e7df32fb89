import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { systemBy } from '@svc/grpc'
import { admin } from '../service.ts'
import { createIdentity } from '../use-cases/operators/create-identity.ts'

const USAGE = 'create-operator.ts --email <address>    (the password on standard input; without one it is generated)'

/** Makes an administrator from the command line: the first one, while no operator can log in. */
const { values } = parseArgs({ options: { email: { type: 'string' } } })
if (values.email === undefined) {
  process.stderr.write(`${USAGE}\n`)
  process.exit(2)
}
const { email } = values
const given = process.stdin.isTTY ? '' : (await text(process.stdin)).replace(/\r?\n$/, '')
const password = given || randomBytes(18).toString('base64url')

const operator = await admin.withContext((ctx) =>
  createIdentity(ctx, systemBy('create-operator'), { email, password, role: 'administrator' }),
)
process.stdout.write(`${operator.email} is an administrator\n`)
if (!given) process.stdout.write(`password, shown once: ${password}\n`)
