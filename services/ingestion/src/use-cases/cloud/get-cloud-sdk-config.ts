import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { type CloudSdkConfig, requireCloud } from '../../peers/cloud.ts'

/** What the signup in the browser is started with: everybody may know it. */
export const getCloudSdkConfig = async (ctx: Context, _by: By<Tenant>): Promise<CloudSdkConfig> =>
  requireCloud(ctx).sdkConfig
