import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'

type CaptureConfig = Pick<Config, 'otaCaptureEnabled' | 'otaCapturePackages' | 'otaCapturePublicKey'>

/** How the operator wants the capture app to behave. While it is off nothing else is told. */
export function getCaptureConfig({ config }: Pick<Context, 'config'>): CaptureConfig {
  const { otaCaptureEnabled, otaCapturePackages, otaCapturePublicKey } = config
  return otaCaptureEnabled
    ? { otaCaptureEnabled, otaCapturePackages, otaCapturePublicKey }
    : { otaCaptureEnabled, otaCapturePackages: [] }
}
