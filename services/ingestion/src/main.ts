import { run } from '@svc/lifecycle'
import { readConfig } from './config.ts'
import { createIngestionService } from './service.ts'

await run(await createIngestionService(readConfig()))
