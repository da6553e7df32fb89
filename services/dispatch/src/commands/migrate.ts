import { parseConfig } from '@svc/config'
import { migrate } from '@svc/database'
import { createLogger } from '@svc/logging'
import { z } from 'zod'
import { migrations } from '../db/migrations/index.ts'

const { dispatchOwnerUrl } = parseConfig(z.object({ dispatchOwnerUrl: z.string().min(1) }))
const applied = await migrate({ name: 'dispatch', ownerUrl: dispatchOwnerUrl, migrations })
createLogger('migrate').info({ applied }, 'dispatch is migrated')
