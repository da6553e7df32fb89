import { admin } from '../service.ts'
import { countPeppers } from '../use-cases/system/count-peppers.ts'

/** Prints how many keys and passwords each pepper has made; changes nothing. What it is for says docs/deploy/keys.md. */
process.stdout.write(`${JSON.stringify(await admin.withContext(countPeppers))}\n`)
