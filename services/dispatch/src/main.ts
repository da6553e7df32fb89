import { run } from '@svc/lifecycle'
import { readConfig } from './config.ts'
import { createDispatchService } from './service.ts'

await run(await createDispatchService(readConfig()))
