import { serviceOf } from '@svc/contracts/calls'
import { type Caller, callerSigner, callerVerifier } from '@svc/grpc'
import { TEST_SECRET } from './callers.ts'
import { PASS_SECRETS } from './test-client.ts'

/** A person as the service of this rpc has it once the gateway has called: one that the service can pass on. */
export function passedOn(person: Caller, rpc: string): Caller {
  const to = serviceOf(rpc)
  const call = { rpc, request: new Uint8Array() }
  const sign = callerSigner({ from: 'gateway', to, secret: TEST_SECRET, passSecrets: PASS_SECRETS })
  return callerVerifier(to, { gateway: [TEST_SECRET] })({ ...call, value: sign(person, call) })
}
