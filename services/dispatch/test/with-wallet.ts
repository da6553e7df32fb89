import { AssignmentServiceService } from '@svc/contracts/dispatch/v1/assignment_service'
import { PricingServiceService } from '@svc/contracts/dispatch/v1/pricing_service'
import type { Caller } from '@svc/grpc'
import { freePort } from '@svc/servers'
import { testClient } from '@svc/testing'
import { merchantOwner, startWallet } from '../../wallet/test/start-wallet.ts'
import type { Context } from '../src/context.ts'
import { dispatchMesh } from './dispatch-mesh.ts'

export type MeshWithWallet = Awaited<ReturnType<typeof withWallet>>

/** The dispatch service with the real wallet service. */
export async function withWallet(settings: Record<string, string> = {}, overrides: Partial<Context> = {}) {
  const wallet = await startWallet()
  const mesh = await dispatchMesh(settings, overrides, { address: wallet.service.address() })
  return {
    mesh,
    wallet,
    /** Changes what the merchant has. */
    async give(merchant: Caller, amountMinor: number): Promise<void> {
      await wallet.fund(merchantOwner(merchant.merchantId as string), amountMinor)
    },
    async setSandbox(merchant: Caller, balance_minor: number): Promise<void> {
      await wallet.wallet.as({ ...merchant, isTest: true }).setTestWallet({ balance_minor })
    },
    /** Another replica, from which no wallet can be reached. */
    async replicaWithoutReach() {
      const ports = await Promise.all([freePort(), freePort()])
      const replica = await mesh.start({
        GRPC_PORT: String(ports[0]),
        INSTANCE: 'without-reach',
        WALLET_GRPC_ADDRESS: `127.0.0.1:${ports[1]}`,
      })
      const link = { address: replica.address(), to: 'dispatch' }
      const assignments = testClient(AssignmentServiceService, link)
      const pricing = testClient(PricingServiceService, link)
      return {
        assignments: (caller: Caller) => assignments.as(caller),
        pricing: (caller: Caller) => pricing.as(caller),
        async stop() {
          for (const client of [assignments, pricing]) client.close()
          await replica.stop()
        },
      }
    },
    async stop() {
      await mesh.stop()
      await wallet.stop()
    },
  }
}
