import { run } from '@svc/lifecycle'
import { readConfig } from './config.ts'
import { createWebhookService } from './service.ts'

await run(await createWebhookService(readConfig()))
