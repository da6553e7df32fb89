import { checkServerLinks, readTogether } from '@svc/config'
import { run } from '@svc/lifecycle'
import { readConfig } from './config.ts'
import { createGateway } from './gateway.ts'

const { config, ...secrets } = readTogether({ settings: () => readConfig(), links: () => checkServerLinks() }).settings

await run(
  createGateway(config, {
    order: { address: config.orderGrpcAddress, secret: secrets.orderSecret },
    dispatch: { address: config.dispatchGrpcAddress, secret: secrets.dispatchSecret },
    wallet: { address: config.walletGrpcAddress, secret: secrets.walletSecret },
    ingestion: { address: config.ingestionGrpcAddress, secret: secrets.ingestionSecret },
    webhook: { address: config.webhookGrpcAddress, secret: secrets.webhookSecret },
    admin: { address: config.adminGrpcAddress, secret: secrets.adminSecret },
  }),
  config,
)
