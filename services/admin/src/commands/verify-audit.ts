import { verifyAuditChain } from '../use-cases/audit/verify-audit-chain.ts'
import { withContext } from './with-context.ts'

/** Prints the verdict on the audit chain; exits 1 when it is broken. */
const verdict = await withContext((ctx) => verifyAuditChain(ctx.database))
process.stdout.write(`${JSON.stringify(verdict)}\n`)
process.exitCode = verdict.intact ? 0 : 1
