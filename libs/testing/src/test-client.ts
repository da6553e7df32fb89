import { CALLS } from '@svc/contracts/calls'
import { type Client, grpcClient, type ServiceDefinition } from '@svc/grpc'
import { TEST_SECRET } from './callers.ts'

/** Of the gateway: its secrets with the services that it calls. */
export const PASS_SECRETS = Object.fromEntries((CALLS['gateway'] ?? []).map((service) => [service, TEST_SECRET]))

/** The limit of the mesh is for people, who wait; a busy machine may take longer. */
const PATIENT = { deadlineMs: 60_000 }

/** A client of a service under test: people call it by the gateway, a process calls it as itself. */
export function testClient<Definition extends ServiceDefinition>(
  definition: Definition,
  { address, to }: { address: string; to: string },
): Client<Definition> {
  const clients = new Map<string, Client<Definition>>()
  const clientOf = (from: string): Client<Definition> => {
    const link = { address, from, to, secret: TEST_SECRET, passSecrets: PASS_SECRETS }
    const client = clients.get(from) ?? grpcClient(definition, link)
    clients.set(from, client)
    return client
  }
  return {
    as: (caller, options) =>
      clientOf(caller.kind === 'system' ? caller.actor.id : 'gateway').as(caller, { ...PATIENT, ...options }),
    close() {
      for (const client of clients.values()) client.close()
    },
  }
}
