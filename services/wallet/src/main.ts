import { run } from '@svc/lifecycle'
import { readConfig } from './config.ts'
import { createWalletService } from './service.ts'

await run(await createWalletService(readConfig()))
