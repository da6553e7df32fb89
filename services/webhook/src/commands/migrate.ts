import { parseConfig } from '@svc/config'
import { migrate } from '@svc/database'
import { createLogger } from '@svc/logging'
import { z } from 'zod'
import { migrations } from '../db/migrations/index.ts'

const { webhookOwnerUrl } = parseConfig(z.object({ webhookOwnerUrl: z.string().min(1) }))
const applied = await migrate({ name: 'webhook', ownerUrl: webhookOwnerUrl, migrations })
createLogger('migrate').info({ applied }, 'webhook is migrated')
