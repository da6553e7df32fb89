import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { findConnection } from '../../db/cloud-connections.ts'
import { findSignup } from '../../db/cloud-signups.ts'
import type { CloudStatus } from '../../domain/cloud-status.ts'

/** Whether a merchant is connected, and whether a signup waits for the choice of a phone number. */
export async function getCloudStatus({ reads, secretBox }: Context, { scope }: By<Tenant>): Promise<CloudStatus> {
  const tx = reads.in(scope)
  return { connection: await findConnection(tx, scope), pending: await findSignup(tx, secretBox, scope) }
}
