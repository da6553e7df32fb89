import { parseConfig } from '@svc/config'
import { migrate } from '@svc/database'
import { createLogger } from '@svc/logging'
import { z } from 'zod'
import { migrations } from '../db/migrations/index.ts'

const { walletOwnerUrl } = parseConfig(z.object({ walletOwnerUrl: z.string().min(1) }))
const applied = await migrate({ name: 'wallet', ownerUrl: walletOwnerUrl, migrations })
createLogger('migrate').info({ applied }, 'wallet is migrated')
