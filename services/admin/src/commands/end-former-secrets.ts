import { parseArgs } from 'node:util'
import { systemBy } from '@svc/grpc'
import { admin } from '../service.ts'
import { endFormerSecrets } from '../use-cases/system/end-former-secrets.ts'

const USAGE = 'end-former-secrets.ts --unused-days <days>'

/**
 * Ends keys and passwords that another pepper than the first has made and that nobody has used for so many days; prints how
 * many. It may be run again. What it is for says docs/deploy/keys.md.
 */
const { values } = parseArgs({ options: { 'unused-days': { type: 'string' } } })
const days = values['unused-days'] ?? ''
if (!/^\d{1,4}$/.test(days)) {
  process.stderr.write(`${USAGE}\n`)
  process.exit(2)
}
const ended = await admin.withContext((ctx) => endFormerSecrets(ctx, systemBy('end-former-secrets'), Number(days)))
process.stdout.write(`${JSON.stringify(ended)}\n`)
