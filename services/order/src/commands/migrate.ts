import { parseConfig } from '@svc/config'
import { migrate } from '@svc/database'
import { createLogger } from '@svc/logging'
import { z } from 'zod'
import { migrations } from '../db/migrations/index.ts'

const { orderOwnerUrl } = parseConfig(z.object({ orderOwnerUrl: z.string().min(1) }))
const applied = await migrate({ name: 'order', ownerUrl: orderOwnerUrl, migrations })
createLogger('migrate').info({ applied }, 'order is migrated')
