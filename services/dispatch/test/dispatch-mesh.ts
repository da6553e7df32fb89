import { randomBytes } from 'node:crypto'
import { AssignmentServiceService } from '@svc/contracts/dispatch/v1/assignment_service'
import { PlaceServiceService } from '@svc/contracts/dispatch/v1/place_service'
import { PositionServiceService } from '@svc/contracts/dispatch/v1/position_service'
import { PricingServiceService } from '@svc/contracts/dispatch/v1/pricing_service'
import { ProofServiceService } from '@svc/contracts/dispatch/v1/proof_service'
import { RehearsalServiceService } from '@svc/contracts/dispatch/v1/rehearsal_service'
import { FleetServiceService, RiderServiceService } from '@svc/contracts/dispatch/v1/rider_service'
import { FulfilmentServiceService } from '@svc/contracts/order/v1/fulfilment_service'
import { OrderServiceService } from '@svc/contracts/order/v1/order_service'
import { SimulatorServiceService } from '@svc/contracts/order/v1/simulator_service'
import type { Caller, ServiceDefinition } from '@svc/grpc'
import { freePort } from '@svc/servers'
import { serviceUnderTest, testClient } from '@svc/testing'
import { startAdmin } from '../../admin/test/start-admin.ts'
import { order as orderDefinition } from '../../order/src/service.ts'
import type { Context } from '../src/context.ts'
import { extensions } from '../src/db/migrations/index.ts'
import { dispatch as dispatchDefinition } from '../src/service.ts'

/**
 * The dispatch service behind gRPC with the real admin and order services, on databases and topics of its own. A wallet is
 * dispatch's alone: orders are created whatever their merchants have.
 */
export async function dispatchMesh(
  settings: Record<string, string> = {},
  overrides: Partial<Context> = {},
  wallet?: { address: string },
) {
  const [admin, grpcPort] = await Promise.all([startAdmin(), freePort()])
  const shared = {
    TOPIC_PREFIX: admin.env['TOPIC_PREFIX']!,
    REDIS_PREFIX: admin.env['REDIS_PREFIX']!,
    BILLING_ENFORCEMENT: 'false',
  }
  const orders = await serviceUnderTest(orderDefinition, {
    settings: { ...shared, DISPATCH_GRPC_ADDRESS: `127.0.0.1:${grpcPort}`, ...settings },
  })
  const dispatch = await serviceUnderTest(dispatchDefinition, {
    settings: {
      ...shared,
      GRPC_PORT: String(grpcPort),
      ORDER_GRPC_ADDRESS: orders.service.address(),
      ADMIN_GRPC_ADDRESS: admin.service.address(),
      OTP_PEPPER: randomBytes(32).toString('base64'),
      SOS_PHONES: 'none',
      MESSAGING_API_URL: 'none',
      WALLET_GRPC_ADDRESS: wallet?.address ?? 'none',
      ...settings,
    },
    extensions,
    overrides,
  })
  const { service } = dispatch
  const opened: Array<{ close(): void }> = []
  const client = <D extends ServiceDefinition>(definition: D, to: 'dispatch' | 'order', address: string) => {
    const opening = testClient(definition, { address, to })
    opened.push(opening)
    return (caller: Caller) => opening.as(caller)
  }

  return {
    admin,
    database: dispatch.database,
    orderDatabase: orders.database,
    environment: dispatch.env,
    service,
    /** Another replica, on a port of its own: give GRPC_PORT and INSTANCE. */
    start: dispatch.start,
    riders: client(RiderServiceService, 'dispatch', service.address()),
    fleet: client(FleetServiceService, 'dispatch', service.address()),
    places: client(PlaceServiceService, 'dispatch', service.address()),
    pricing: client(PricingServiceService, 'dispatch', service.address()),
    positions: client(PositionServiceService, 'dispatch', service.address()),
    assignments: client(AssignmentServiceService, 'dispatch', service.address()),
    proof: client(ProofServiceService, 'dispatch', service.address()),
    rehearsals: client(RehearsalServiceService, 'dispatch', service.address()),
    orders: client(OrderServiceService, 'order', orders.service.address()),
    simulator: client(SimulatorServiceService, 'order', orders.service.address()),
    fulfilment: client(FulfilmentServiceService, 'order', orders.service.address()),
    /** As the worker role, past the tenant wall. */
    sql: dispatch.sql,
    orderSql: orders.sql,
    async stop() {
      for (const one of opened) one.close()
      await dispatch.stop()
      await orders.stop()
      await admin.stop()
    },
  }
}

export type DispatchMesh = Awaited<ReturnType<typeof dispatchMesh>>
