import { webhook } from '../service.ts'
import { resealSecrets } from '../use-cases/reseal-secrets.ts'

/** Prints how many secrets the first key of KEY_ENCRYPTION_KEY has sealed anew; may be run again. Exits 1 where one cannot be opened. */
const resealed = await webhook.withContext(resealSecrets)
process.stdout.write(`${JSON.stringify(resealed)}\n`)
process.exitCode = resealed.unopened === 0 ? 0 : 1
