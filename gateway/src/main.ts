import { parseConfig } from '@svc/config'
import { callerSecretFromEnv } from '@svc/grpc'
import { run } from '@svc/lifecycle'
import { configSchema } from './config.ts'
import { createGateway } from './gateway.ts'

const config = parseConfig(configSchema)

await run(
  createGateway(config, {
    order: { address: config.orderGrpcAddress, secret: callerSecretFromEnv('gateway', 'order') },
    dispatch: { address: config.dispatchGrpcAddress, secret: callerSecretFromEnv('gateway', 'dispatch') },
    wallet: { address: config.walletGrpcAddress, secret: callerSecretFromEnv('gateway', 'wallet') },
    ingestion: { address: config.ingestionGrpcAddress, secret: callerSecretFromEnv('gateway', 'ingestion') },
    webhook: { address: config.webhookGrpcAddress, secret: callerSecretFromEnv('gateway', 'webhook') },
    admin: { address: config.adminGrpcAddress, secret: callerSecretFromEnv('gateway', 'admin') },
  }),
)
