import { run } from '@svc/lifecycle'
import { readConfig } from './config.ts'
import { createOrderService } from './service.ts'

await run(await createOrderService(readConfig()))
