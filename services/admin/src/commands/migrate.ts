import { parseConfig } from '@svc/config'
import { migrate } from '@svc/database'
import { createLogger } from '@svc/logging'
import { z } from 'zod'
import { migrations } from '../db/migrations/index.ts'

const { adminOwnerUrl } = parseConfig(z.object({ adminOwnerUrl: z.string().min(1) }))
const applied = await migrate({ name: 'admin', ownerUrl: adminOwnerUrl, migrations })
createLogger('migrate').info({ applied }, 'admin is migrated')
