import type { Config } from './config.ts'
import type { Gate } from './context.ts'
import { billingRefusal, kybRefusal } from './domain/gate.ts'

/** The gates that the operator has switched on: business verification for live orders, then billing. */
export function orderGates(config: Pick<Config, 'requireKybForOrders' | 'billingEnforcement'>): Gate[] {
  const kyb: Gate = async (_draft, { isTest, standing }) => (isTest === false ? kybRefusal(standing) : null)
  const billing: Gate = async (_draft, { standing }) => billingRefusal(standing)
  return [...(config.requireKybForOrders ? [kyb] : []), ...(config.billingEnforcement ? [billing] : [])]
}
