import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { type CloudSignup, findSignup } from '../../db/cloud-signups.ts'
import type { CloudAsset } from '../../domain/cloud-asset.ts'
import { requireCloud, whileAuthorized } from '../../peers/cloud.ts'

/** The phone numbers that the pending signup may choose from, as the provider has them now; null where none is pending. */
export async function listCloudCandidates(
  ctx: Context,
  { scope }: By<Tenant>,
): Promise<{ signup: CloudSignup; assets: readonly CloudAsset[] } | null> {
  const cloud = requireCloud(ctx)
  const signup = await findSignup(ctx.reads.in(scope), ctx.secretBox, scope)
  if (!signup) return null
  return { signup, assets: await whileAuthorized(cloud.begin().listAssets(signup.accessToken)) }
}
