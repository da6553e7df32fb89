import { assignmentReplies } from './replies/assignment.ts'
import { credentialReplies } from './replies/credential.ts'
import { ingestionReplies } from './replies/ingestion.ts'
import { inquiryReplies } from './replies/inquiry.ts'
import { kybReplies } from './replies/kyb.ts'
import { merchantReplies } from './replies/merchant.ts'
import { moneyReplies } from './replies/money.ts'
import { operatorReplies } from './replies/operator.ts'
import { orderReplies } from './replies/order.ts'
import { placeReplies } from './replies/place.ts'
import { positionReplies } from './replies/position.ts'
import { pricingReplies } from './replies/pricing.ts'
import { proofReplies } from './replies/proof.ts'
import { riderReplies } from './replies/rider.ts'
import { shipmentReplies } from './replies/shipment.ts'
import { signOnReplies } from './replies/sign-on.ts'
import { simulatorReplies } from './replies/simulator.ts'
import { systemReplies } from './replies/system.ts'
import { webhookReplies } from './replies/webhook.ts'
import type { RpcReplies } from './rpc-replies.ts'

/** What the upstream of a test answers, by rpc: every field that its message has and a view might let slip. */
export const replies = {
  ...assignmentReplies,
  ...credentialReplies,
  ...ingestionReplies,
  ...inquiryReplies,
  ...kybReplies,
  ...merchantReplies,
  ...moneyReplies,
  ...operatorReplies,
  ...orderReplies,
  ...placeReplies,
  ...positionReplies,
  ...pricingReplies,
  ...proofReplies,
  ...riderReplies,
  ...shipmentReplies,
  ...signOnReplies,
  ...simulatorReplies,
  ...systemReplies,
  ...webhookReplies,
} satisfies Partial<RpcReplies>
