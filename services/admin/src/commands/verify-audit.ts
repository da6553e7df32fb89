import { parseArgs } from 'node:util'
import { admin } from '../service.ts'
import { verifyAuditChain } from '../use-cases/audit/verify-audit-chain.ts'

const USAGE = 'verify-audit.ts [--expect-head <number>:<hash>]…    (as the log tells it once a day, and this command)'

/** Prints the verdict on the audit chain; exits 1 when it is broken. */
const { values } = parseArgs({ options: { 'expect-head': { type: 'string', multiple: true, default: [] } } })
const heads = values['expect-head'].map((head) => head.toLowerCase())
if (!heads.every((head) => /^[1-9]\d{0,14}:[0-9a-f]{64}$/.test(head))) {
  process.stderr.write(`${USAGE}\n`)
  process.exit(2)
}
const verdict = await admin.withContext(({ database, config }) =>
  verifyAuditChain(database, { keys: config.auditKey, heads }),
)
process.stdout.write(`${JSON.stringify(verdict)}\n`)
process.exitCode = verdict.intact ? 0 : 1
