import { admin } from '../service.ts'
import { verifyAuditChain } from '../use-cases/audit/verify-audit-chain.ts'

/** Prints the verdict on the audit chain; exits 1 when it is broken. */
const verdict = await admin.withContext((ctx) => verifyAuditChain(ctx.database))
process.stdout.write(`${JSON.stringify(verdict)}\n`)
process.exitCode = verdict.intact ? 0 : 1
