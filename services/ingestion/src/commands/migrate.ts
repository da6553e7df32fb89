import { parseConfig } from '@svc/config'
import { migrate } from '@svc/database'
import { createLogger } from '@svc/logging'
import { z } from 'zod'
import { migrations } from '../db/migrations/index.ts'

const { ingestionOwnerUrl } = parseConfig(z.object({ ingestionOwnerUrl: z.string().min(1) }))
const applied = await migrate({ name: 'ingestion', ownerUrl: ingestionOwnerUrl, migrations })
createLogger('migrate').info({ applied }, 'ingestion is migrated')
