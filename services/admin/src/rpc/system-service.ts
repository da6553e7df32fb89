import { SystemServiceService } from '@svc/contracts/admin/v1/system_service'
import { anyone, rpc, serving } from '@svc/grpc'
import type { Context } from '../context.ts'
import { getCaptureConfig } from '../use-cases/system/get-capture-config.ts'

/** What the operator has set for the platform's own apps. */
export const systemService = serving<Context>()(SystemServiceService, {
  getCaptureConfig: rpc({
    access: anyone(),
    async handle(ctx) {
      const { otaCaptureEnabled, otaCapturePackages, otaCapturePublicKey } = getCaptureConfig(ctx)
      return { enabled: otaCaptureEnabled, package_allowlist: otaCapturePackages, public_key: otaCapturePublicKey }
    },
  }),
})
