import { run } from '@svc/lifecycle'
import { readConfig } from './config.ts'
import { createAdminService } from './service.ts'

await run(await createAdminService(readConfig()))
